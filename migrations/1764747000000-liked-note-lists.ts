import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Copies the visibility and the author of notes to their likes, with indexes in the order of the
 * notes that a user likes, and counts the likes of each user. Then these lists read the notes of the
 * page, and their totals count few rows. Takes about a minute with three million likes.
 */
export class LikedNoteLists1764747000000 implements MigrationInterface {
  name = 'LikedNoteLists1764747000000';

  async up(db: QueryRunner): Promise<void> {
    // `ALTER TABLE` locks notes, then likes, in the order of statements that write both. It waits for
    // writers, so that the statements after it see all rows.
    await db.query(`
      ALTER TABLE notes ADD COLUMN outdated_likes_visibility smallint;
      ALTER TABLE note_likes ADD COLUMN note_visibility smallint;
      ALTER TABLE note_likes ADD COLUMN note_author_id bigint;`);
    await db.query(COPIES);
    await db.query(`
      UPDATE note_likes l SET note_visibility = ${VISIBILITY('n')}, note_author_id = n.user_id
      FROM notes n WHERE n.id = l.note_id;
      ALTER TABLE note_likes ALTER COLUMN note_visibility SET NOT NULL;`);
    await db.query(INDEXES);
    await db.query(`
      INSERT INTO list_counts (${KEY}, elements)
      SELECT ${KEY}, count(*) FROM (${listsOf('note_likes', '')}) c GROUP BY ${KEY} ORDER BY ${KEY};`);
    await db.query(COUNT_TRIGGERS);
    await db.query('ANALYZE notes, note_likes, list_counts');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER note_likes_copy_note ON note_likes;
      DROP TRIGGER notes_outdated_likes_set ON notes;
      DROP TRIGGER notes_copy_to_likes ON notes;
      DROP TRIGGER note_likes_list_inserted ON note_likes;
      DROP TRIGGER note_likes_list_updated ON note_likes;
      DROP TRIGGER note_likes_list_deleted ON note_likes;
      DROP FUNCTION copy_note_to_like, set_outdated_likes_visibility, copy_note_to_likes;
      DROP FUNCTION count_lists_of_note_likes;
      DELETE FROM list_counts WHERE list = 12;
      DROP INDEX note_likes_by_user_visibility, note_likes_public_by_user, notes_outdated_likes,
        friendships_by_friend;
      ALTER TABLE note_likes DROP COLUMN note_visibility, DROP COLUMN note_author_id;
      ALTER TABLE notes DROP COLUMN outdated_likes_visibility;
      CREATE INDEX note_likes_by_user ON note_likes (user_id);
      CREATE INDEX friendships_by_friend ON friendships (friend_id);`);
  }
}

/** Who may see a note: 0 all users, 1 friends of the author, 2 the author, 3 nobody. */
const VISIBILITY = (note: string): string =>
  `(CASE WHEN ${note}.placeholder THEN 3 WHEN ${note}.hidden OR ${note}.privacy = 'private' THEN 2
     WHEN ${note}.privacy = 'friend' THEN 1 ELSE 0 END)`;
const LIKES_VISIBILITY = (note: string): string =>
  `coalesce(${note}.outdated_likes_visibility, ${VISIBILITY(note)})`;

// All likes of a note have the same visibility. It is that of the note, or `outdated_likes_visibility`
// if that is not null: authors change the visibility of notes, and the number of likes that this
// changes is limited. A like locks its note, as `notes.like` does, so that it has the values of a note
// that changes at the same time. The update of a note locks it before the triggers, which see the like.
const COPIES = `
CREATE FUNCTION copy_note_to_like() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT ${LIKES_VISIBILITY('n')}, n.user_id INTO NEW.note_visibility, NEW.note_author_id
  FROM notes n WHERE n.id = NEW.note_id FOR NO KEY UPDATE;
  -- The foreign key rejects the like of a missing note, not this column.
  IF NOT FOUND THEN NEW.note_visibility := 3; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER note_likes_copy_note BEFORE INSERT OR UPDATE OF note_id ON note_likes
  FOR EACH ROW EXECUTE FUNCTION copy_note_to_like();
CREATE FUNCTION set_outdated_likes_visibility() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stored smallint := ${LIKES_VISIBILITY('OLD')};
BEGIN
  -- Only imports change the author.
  IF stored = ${VISIBILITY('NEW')} OR OLD.user_id IS DISTINCT FROM NEW.user_id
    OR NOT EXISTS (SELECT FROM note_likes WHERE note_id = NEW.id OFFSET 1000)
  THEN
    NEW.outdated_likes_visibility := NULL;
  ELSE
    NEW.outdated_likes_visibility := stored;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER notes_outdated_likes_set BEFORE UPDATE ON notes FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id OR ${VISIBILITY('OLD')} <> ${VISIBILITY('NEW')})
  EXECUTE FUNCTION set_outdated_likes_visibility();
CREATE FUNCTION copy_note_to_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE note_likes SET note_visibility = ${LIKES_VISIBILITY('NEW')}, note_author_id = NEW.user_id
  WHERE note_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER notes_copy_to_likes AFTER UPDATE ON notes FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id OR ${LIKES_VISIBILITY('OLD')} <> ${LIKES_VISIBILITY('NEW')})
  EXECUTE FUNCTION copy_note_to_likes();
`;

// `note_likes_by_user_visibility` replaces `note_likes_by_user`, whose column is its first.
// `friendships_by_friend` is created again with both columns: lists need the friends of a user in both
// directions, which PostgreSQL then reads from indexes alone.
const INDEXES = `
DROP INDEX note_likes_by_user;
CREATE INDEX note_likes_by_user_visibility ON note_likes (user_id, note_visibility, note_author_id)
  INCLUDE (created_at, note_id);
CREATE INDEX note_likes_public_by_user ON note_likes (user_id, created_at DESC, note_id DESC)
  WHERE note_visibility = 0;
CREATE INDEX notes_outdated_likes ON notes (id) WHERE outdated_likes_visibility IS NOT NULL;
DROP INDEX friendships_by_friend;
CREATE INDEX friendships_by_friend ON friendships (friend_id, user_id);
`;

// List 12 in `list_counts`: the notes that a user likes.
const KEY = 'record_id, list, visibility';
const listsOf = (rows: string, sign: string): string =>
  `SELECT user_id AS record_id, 12::smallint AS list, note_visibility AS visibility, ${sign}1 AS elements
   FROM ${rows} WHERE note_visibility = 0`;
const change = (rows: string): string => `
  PERFORM change_list_counts((
    SELECT array_agg(ROW(${KEY}, NULL, elements)::list_counts)
    FROM (SELECT ${KEY}, sum(elements) AS elements FROM (${rows}) c
      GROUP BY ${KEY} HAVING sum(elements) <> 0) d));`;

const COUNT_TRIGGERS = `
CREATE FUNCTION count_lists_of_note_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${change(listsOf('after', ''))}
  ELSIF TG_OP = 'DELETE' THEN
    ${change(listsOf('before', '-'))}
  ELSE
    ${change(`${listsOf('before', '-')} UNION ALL ${listsOf('after', '')}`)}
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_likes_list_inserted AFTER INSERT ON note_likes
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_lists_of_note_likes();
CREATE TRIGGER note_likes_list_updated AFTER UPDATE ON note_likes
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_lists_of_note_likes();
CREATE TRIGGER note_likes_list_deleted AFTER DELETE ON note_likes
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_lists_of_note_likes();
`;
