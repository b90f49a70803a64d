import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Copies the times and the visibility of events to their participations, with indexes in the order
 * of a user's lists, and counts the participations of each user by the end of the event. Then these
 * lists read the events of the page, and their totals count few rows. Takes about two minutes with
 * three million participations.
 */
export class ParticipationLists1764746000000 implements MigrationInterface {
  name = 'ParticipationLists1764746000000';

  async up(db: QueryRunner): Promise<void> {
    // `ALTER TABLE` locks participations, then `CREATE TRIGGER` locks events. Writers that hold a row
    // lock on an event do not conflict with the second. It waits for other writers of events, so that
    // the statements after it see all rows.
    await db.query('ALTER TABLE participations ADD COLUMN begins_at timestamptz');
    await db.query('ALTER TABLE participations ADD COLUMN ends_at timestamptz');
    await db.query('ALTER TABLE participations ADD COLUMN event_visibility smallint');
    await db.query(COPIES);
    await db.query(FILL_COPIES);
    await db.query(INDEXES);
    await db.query(COUNTS);
    await db.query(FILL_COUNTS);
    await db.query(COUNT_TRIGGERS);
    await db.query('ANALYZE participations, participation_counts, list_counts');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER participations_copy_event ON participations;
      DROP TRIGGER events_copy_to_participations ON events;
      DROP TRIGGER participations_count_inserted ON participations;
      DROP TRIGGER participations_count_updated ON participations;
      DROP TRIGGER participations_count_deleted ON participations;
      DROP FUNCTION copy_event_to_participation, copy_event_to_participations;
      DROP FUNCTION maintain_participation_counts, change_participation_counts;
      DROP TABLE participation_counts;
      DELETE FROM list_counts WHERE list IN (10, 11);
      DROP INDEX event_invitations_by_user;
      CREATE INDEX event_invitations_by_user ON event_invitations (user_id);
      ALTER TABLE participations
        DROP COLUMN begins_at, DROP COLUMN ends_at, DROP COLUMN event_visibility;`);
  }
}

// 0: all users; 2: the owner and invited users; 3: nobody, because the event is deleted.
const VISIBILITY = (event: string): string =>
  `CASE WHEN ${event}.deleted_at IS NOT NULL THEN 3 WHEN ${event}.private THEN 2 ELSE 0 END`;

// A participation locks its event, as `participations.join` does, so that it has the values of an
// event that changes at the same time. The update of an event that waits for the lock sees the row.
const COPIES = `
CREATE FUNCTION copy_event_to_participation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT e.begins_at, e.ends_at, ${VISIBILITY('e')}
  INTO NEW.begins_at, NEW.ends_at, NEW.event_visibility
  FROM events e WHERE e.id = NEW.event_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    -- The foreign key rejects the row, not these columns.
    NEW.begins_at := '-infinity';
    NEW.ends_at := '-infinity';
    NEW.event_visibility := 3;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER participations_copy_event BEFORE INSERT OR UPDATE OF event_id ON participations
  FOR EACH ROW EXECUTE FUNCTION copy_event_to_participation();
CREATE FUNCTION copy_event_to_participations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE participations
  SET begins_at = NEW.begins_at, ends_at = NEW.ends_at, event_visibility = ${VISIBILITY('NEW')}
  WHERE event_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER events_copy_to_participations AFTER UPDATE ON events FOR EACH ROW
  WHEN ((OLD.begins_at, OLD.ends_at, OLD.private, OLD.deleted_at IS NULL)
    IS DISTINCT FROM (NEW.begins_at, NEW.ends_at, NEW.private, NEW.deleted_at IS NULL))
  EXECUTE FUNCTION copy_event_to_participations();
`;

// No response changes, so that the change is not logged.
const FILL_COPIES = `
ALTER TABLE participations DISABLE TRIGGER participations_update_logged;
UPDATE participations a
SET begins_at = e.begins_at, ends_at = e.ends_at, event_visibility = ${VISIBILITY('e')}
FROM events e WHERE e.id = a.event_id;
ALTER TABLE participations ENABLE TRIGGER participations_update_logged;
ALTER TABLE participations ALTER COLUMN begins_at SET NOT NULL,
  ALTER COLUMN ends_at SET NOT NULL, ALTER COLUMN event_visibility SET NOT NULL;
`;

// The box has the user and the time in seconds as its sides, as the one of `events_by_city_span`.
const SECONDS = (time: string): string =>
  `extract(epoch FROM ${time} - '1970-01-01 00:00+00'::timestamptz)`;
// `event_invitations_by_user` is created again with both columns: lists need the events of a user's
// invitations, which PostgreSQL then reads from the index alone.
const INDEXES = `
CREATE INDEX participations_by_begin ON participations (user_id, kind, begins_at, event_id)
  INCLUDE (ends_at) WHERE event_visibility = 0;
CREATE INDEX participations_by_end ON participations (user_id, kind, ends_at) WHERE event_visibility = 0;
CREATE INDEX participations_by_span ON participations USING gist (box(
  point(user_id, ${SECONDS('begins_at')}), point(user_id, ${SECONDS('ends_at')})))
  WHERE event_visibility = 0;
CREATE INDEX participations_private_by_user ON participations (user_id, kind, event_id)
  INCLUDE (begins_at, ends_at) WHERE event_visibility = 2;
DROP INDEX event_invitations_by_user;
CREATE INDEX event_invitations_by_user ON event_invitations (user_id, event_id);
`;

// Participations in public events by the period of 64 days (UTC) in which the event ends. The number
// is the sum of the rows with the same values. Users have no foreign key here: the rows of a deleted
// user sum to 0.
const COUNTS = `
CREATE TABLE participation_counts (
  user_id bigint NOT NULL,
  kind text NOT NULL,
  period integer NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  events integer NOT NULL,
  CONSTRAINT participation_counts_pkey PRIMARY KEY (user_id, kind, period, id)
);
`;

const KEY = 'user_id, kind, period';
const periodsOf = (rows: string, sign: string): string =>
  `SELECT user_id, kind, floor(extract(epoch FROM ends_at) / 86400 / 64)::integer AS period,
     ${sign}1 AS events FROM ${rows} WHERE event_visibility = 0`;

// Lists in `list_counts`: 10 the events that a user participates in, 11 those that interest a user.
const LIST_KEY = 'record_id, list, visibility';
const listsOf = (rows: string, sign: string): string =>
  `SELECT user_id AS record_id, CASE kind WHEN 'participate' THEN 10 ELSE 11 END::smallint AS list,
     event_visibility AS visibility, ${sign}1 AS elements FROM ${rows} WHERE event_visibility = 0`;

const FILL_COUNTS = `
INSERT INTO participation_counts (${KEY}, events)
SELECT ${KEY}, count(*) FROM (${periodsOf('participations', '')}) c GROUP BY ${KEY} ORDER BY ${KEY};
INSERT INTO list_counts (${LIST_KEY}, elements)
SELECT ${LIST_KEY}, count(*) FROM (${listsOf('participations', '')}) c
GROUP BY ${LIST_KEY} ORDER BY ${LIST_KEY};
`;

const changes = (before: string, after: string): string => {
  const rowsOf = (count: (rows: string, sign: string) => string): string =>
    [before && count(before, '-'), after && count(after, '')].filter(Boolean).join(' UNION ALL ');
  return `
    PERFORM change_participation_counts((
      SELECT array_agg(ROW(${KEY}, NULL, events)::participation_counts)
      FROM (SELECT ${KEY}, sum(events) AS events FROM (${rowsOf(periodsOf)}) c
        GROUP BY ${KEY} HAVING sum(events) <> 0) d));
    PERFORM change_list_counts((
      SELECT array_agg(ROW(${LIST_KEY}, NULL, elements)::list_counts)
      FROM (SELECT ${LIST_KEY}, sum(elements) AS elements FROM (${rowsOf(listsOf)}) c
        GROUP BY ${LIST_KEY} HAVING sum(elements) <> 0) d));`;
};

// As for list_counts: writers do not wait for each other.
const COUNT_TRIGGERS = `
CREATE FUNCTION change_participation_counts(changes participation_counts[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found participation_counts[];
  emptied boolean;
BEGIN
  IF changes IS NULL THEN RETURN; END IF;
  SELECT array_agg(ROW(d.user_id, d.kind, d.period, l.id, d.events)::participation_counts) INTO found
  FROM unnest(changes) d LEFT JOIN LATERAL (
    SELECT c.id FROM participation_counts c
    WHERE c.user_id = d.user_id AND c.kind = d.kind AND c.period = d.period
    LIMIT 1 FOR UPDATE SKIP LOCKED) l ON true;
  WITH updated AS (
    UPDATE participation_counts c SET events = c.events + d.events FROM unnest(found) d
    WHERE c.user_id = d.user_id AND c.kind = d.kind AND c.period = d.period AND c.id = d.id
    RETURNING c.events)
  SELECT bool_or(events = 0) INTO emptied FROM updated;
  INSERT INTO participation_counts (${KEY}, events)
  SELECT ${KEY}, events FROM unnest(found) d WHERE d.id IS NULL;
  IF emptied THEN
    DELETE FROM participation_counts c USING unnest(found) d
    WHERE c.user_id = d.user_id AND c.kind = d.kind AND c.period = d.period AND c.id = d.id
      AND c.events = 0;
  END IF;
END $$;
CREATE FUNCTION maintain_participation_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${changes('', 'after')}
  ELSIF TG_OP = 'DELETE' THEN
    ${changes('before', '')}
  ELSE
    ${changes('before', 'after')}
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER participations_count_inserted AFTER INSERT ON participations
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION maintain_participation_counts();
CREATE TRIGGER participations_count_updated AFTER UPDATE ON participations
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION maintain_participation_counts();
CREATE TRIGGER participations_count_deleted AFTER DELETE ON participations
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION maintain_participation_counts();
`;
