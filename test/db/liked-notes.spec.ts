import { checkListCounts } from '../../src/database/list-counts';
import { migrateDown, migrateUp } from '../../src/database/migrate';
import { checkNoteLikes } from '../../src/import-export/notes/note-like.recount';
import { LIKED_BY_USER } from '../../src/notes/liked-notes.sql';
import { NotesRepository } from '../../src/notes/notes.repository';
import { Factories } from '../factories/factories';
import { queuedBehind } from '../e2e/oauth/lock-row';
import { openTestDatabase, type TestDatabase } from '../harness';
import { randomInteger } from '../random';
import { vacuumAll } from './vacuum-all';

let opened: TestDatabase;
let make: Factories;
let repository: NotesRepository;
const below = (limit: number): number => randomInteger() % limit;
const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;

/** Likes of a note beyond which a change of its visibility changes none of them. */
const LIMIT = 1000;
const PRIVACIES = ['public', 'friend', 'private'];
let users: number[];
let notes: number[];
/** Notes with more likes than the limit. */
let popular: number[];

beforeAll(async () => {
  opened = await openTestDatabase();
  make = new Factories(opened.database);
  repository = new NotesRepository(opened.database);
  users = [];
  for (let n = 0; n < 5; n += 1) users.push((await make.aUser()).id);
  const [author, other, friend] = users as [number, number, number];
  await make.friends(author, friend);
  await make.friends(other, author);
  notes = [];
  for (let n = 0; n < 60; n += 1) {
    const author_id = n % 2 === 0 ? author : other;
    notes.push((await make.aNote({ author_id, privacy: PRIVACIES[n % 3] })).id);
  }
  popular = notes.slice(0, 6);
  await opened.source.query(
    `INSERT INTO users (id, uid, name) SELECT n, 'crowd' || n, 'Crowd' FROM generate_series(1, ${LIMIT + 1}) n`,
  );
  await opened.source.query(
    `INSERT INTO note_likes (note_id, user_id)
     SELECT i.id, n FROM unnest($1::bigint[]) AS i(id), generate_series(1, ${LIMIT + 1}) n`,
    [popular],
  );
  // Statements of the test insert and delete likes without this counter.
  await opened.source.query('UPDATE notes SET likes = 5000');
});
afterAll(() => opened.close());

/** Changes of notes and likes, in one statement each. */
const CHANGES = [
  () => `UPDATE notes SET privacy = '${one(PRIVACIES)}' WHERE id = ${one(notes)}`,
  () => `UPDATE notes SET privacy = '${one(PRIVACIES)}' WHERE id = ${one(popular)}`,
  () => `UPDATE notes SET hidden = NOT hidden WHERE id = ${one(notes)}`,
  () => `UPDATE notes SET hidden = NOT hidden, privacy = 'public' WHERE id = ${one(popular)}`,
  () => `UPDATE notes SET placeholder = NOT placeholder WHERE id = ${one(notes.slice(0, 20))}`,
  () => `UPDATE notes SET title = title || '.' WHERE id = ${one(notes)}`,
  () =>
    `UPDATE notes SET user_id = ${one([...users.slice(0, 2), 'NULL'])} WHERE id = ${one(notes.slice(5))}`,
  () => `INSERT INTO note_likes (note_id, user_id, created_at)
    SELECT ${one(notes)}, u.id, now() - interval '1 minute' * ${below(9)}
    FROM unnest('{${users.join()}}'::bigint[]) AS u(id)
    ON CONFLICT (note_id, user_id) DO UPDATE SET created_at = EXCLUDED.created_at`,
  () => `DELETE FROM note_likes WHERE user_id = ${one(users)} AND note_id % 30 = ${below(30)}`,
];

/** Awaits a write. Statements of a test in random order can wait for each other's rows. */
async function settle(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if ((error as { code?: string }).code !== '40P01') throw error;
  });
}

const expectNoDrift = async (): Promise<void> => {
  const check = { repair: false };
  expect(await checkNoteLikes(opened.database, check)).toEqual([]);
  expect(await checkListCounts(opened.database, check)).toEqual([]);
};

/** Ids of the notes that a user likes, from the definition of the list. */
async function expectedIds(user: number, viewer: number): Promise<number[]> {
  const rows = await opened.source.query<{ id: string }[]>(
    `SELECT n.id FROM note_likes l JOIN notes n ON n.id = l.note_id
     WHERE l.user_id = $1 AND NOT n.placeholder AND (n.user_id = $2 OR NOT n.hidden AND (n.privacy = 'public'
       OR n.privacy = 'friend' AND EXISTS (SELECT FROM friendships f
         WHERE (f.user_id, f.friend_id) IN ((n.user_id, $2), ($2, n.user_id)))))
     ORDER BY l.created_at DESC, n.id DESC`,
    [user, viewer],
  );
  return rows.map(({ id }) => Number(id));
}

/** Compares the lists of users with their definition, for every viewer. @returns their elements */
async function expectExactLists(): Promise<number> {
  let elements = 0;
  for (const user of [...users, 1]) {
    for (const viewer of [...users, 1]) {
      const expected = await expectedIds(user, viewer);
      for (const page of [
        { start: 0, count: 100 },
        { start: below(12), count: 1 + below(20) },
      ]) {
        const found = await repository.likedBy(String(user), viewer, page);
        const shown = expected.slice(page.start, page.start + page.count);
        const ids = found.items.map(({ id }) => Number(id));
        expect([found.total, ids]).toEqual([expected.length, shown]);
        elements += shown.length;
      }
    }
  }
  return elements;
}

it('the notes that a user likes are exact for every viewer after concurrent writes', async () => {
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 150; turn += 1) {
      if (below(2) === 0) {
        await settle(repository.setLiked(one(notes), one(users), below(5) > 0));
      } else {
        await settle(opened.database.query({ name: '', text: one(CHANGES)() }));
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await expectNoDrift();
  expect(await expectExactLists()).toBeGreaterThan(150);
});

it('a like that is made while its note changes has the new values', async () => {
  const { source, database } = opened;
  const [user] = users;
  const note = notes.at(-1) as number;
  await source.query('DELETE FROM note_likes WHERE note_id = $1', [note]);
  await source.query(
    `UPDATE notes SET privacy = 'public', hidden = false, placeholder = false WHERE id = $1`,
    [note],
  );
  const like = `INSERT INTO note_likes (note_id, user_id) VALUES (${note}, ${user})`;
  await queuedBehind(
    opened.url,
    `UPDATE notes SET privacy = 'private' WHERE id = $1`,
    [note],
    [() => database.query({ name: '', text: like })],
  );
  await expectNoDrift();
});

it(`a change of the visibility of a note changes at most ${LIMIT} likes, and lists stay exact`, async () => {
  const { source } = opened;
  const [note, fewer] = popular as [number, number];
  const [author] = users as [number];
  await source.query(`DELETE FROM note_likes WHERE note_id = $1 AND user_id = 1`, [fewer]);
  await source.query(`DELETE FROM note_likes WHERE note_id = ANY($1) AND user_id > ${LIMIT + 1}`, [
    [note, fewer],
  ]);
  for (const value of ['public', 'private']) {
    // An import changes all likes of a note whose author changes.
    if (value === 'public')
      await source.query('UPDATE notes SET user_id = NULL WHERE id = ANY($1)', [[note, fewer]]);
    await source.query(
      `UPDATE notes SET user_id = $2, privacy = $3, hidden = false, placeholder = false WHERE id = ANY($1)`,
      [[note, fewer], author, value],
    );
  }
  await repository.setLiked(note, author, true);
  const stored = async (id: number): Promise<unknown> => {
    const rows = await source.query<object[]>(
      `SELECT n.outdated_likes_visibility, l.note_visibility, count(*)::int AS likes
       FROM note_likes l JOIN notes n ON n.id = l.note_id WHERE n.id = $1 GROUP BY 1, 2`,
      [id],
    );
    return rows;
  };
  expect(await stored(note)).toEqual([
    { outdated_likes_visibility: 0, note_visibility: 0, likes: LIMIT + 2 },
  ]);
  expect(await stored(fewer)).toEqual([
    { outdated_likes_visibility: null, note_visibility: 2, likes: LIMIT },
  ]);
  await expectNoDrift();
  await expectExactLists();
  await source.query(`UPDATE notes SET privacy = 'public' WHERE id = $1`, [note]);
  expect(await stored(note)).toEqual([
    { outdated_likes_visibility: null, note_visibility: 0, likes: LIMIT + 2 },
  ]);
  await expectExactLists();
});

it('the migration fills copies and numbers, and is reverted', async () => {
  for (let name = ''; name !== 'LikedNoteLists1764747000000';)
    name = (await migrateDown(opened.source, () => undefined))?.name ?? '';
  await migrateUp(opened.source);
  await expectNoDrift();
  await expectExactLists();
});

it('recount repairs copies of notes and the numbers of likes', async () => {
  const { database, source } = opened;
  const [note] = popular;
  await source.query(
    'UPDATE note_likes SET note_visibility = 3 - note_visibility WHERE note_id = $1',
    [note],
  );
  expect(await checkNoteLikes(database, { repair: true })).toMatchObject([
    { note_id: note, stored: 0 },
  ]);
  await expectNoDrift();
  await source.query(
    'UPDATE list_counts SET elements = elements + 2 WHERE record_id = 1 AND list = 12',
  );
  expect(await checkListCounts(database, { repair: true })).toMatchObject([
    { record_id: 1, what: 'userLikedNotes' },
  ]);
  await expectNoDrift();
});

it('the list of a user with many likes reads as few pages as one with few', async () => {
  const { source } = opened;
  const [few, viewer] = users as [number, number];
  const many = (await make.aUser()).id;
  await source.query('DELETE FROM note_likes');
  await source.query(
    `INSERT INTO notes (user_id, title, privacy)
     SELECT $1, 'Many', (ARRAY['public', 'public', 'friend', 'private'])[1 + n % 4]
     FROM generate_series(1, 4000) n`,
    [many],
  );
  await source.query('ANALYZE notes, users');
  await source.query(
    `INSERT INTO note_likes (user_id, note_id)
     SELECT u.id, n.id FROM notes n JOIN (VALUES ($1::bigint, 50), ($2, 1)) u(id, each)
       ON n.title = 'Many' AND n.id / 4 % u.each = 0`,
    [few, many],
  );
  // Most users like few notes, which the generic plan expects. The likes of some notes differ.
  await source.query(
    `INSERT INTO note_likes (user_id, note_id)
     SELECT u.id, n.id FROM notes n JOIN users u ON n.id % 400 = u.id % 400 AND u.id <= ${LIMIT}
     WHERE n.title = 'Many'`,
  );
  await source.query(
    `UPDATE notes SET outdated_likes_visibility = 1
     WHERE title = 'Many' AND privacy = 'friend' AND id % 400 < 4`,
  );
  await vacuumAll(source, ['notes', 'note_likes', 'friendships', 'list_counts']);
  const reading = source.createQueryRunner();
  await reading.query('SET plan_cache_mode = force_generic_plan');
  await reading.query(`PREPARE liked AS ${LIKED_BY_USER}`);
  const pages = async (user: number): Promise<number> => {
    const [row] = (await reading.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE liked (20, 0, '', ${viewer}, ${user}, 8000000)`,
    )) as { 'QUERY PLAN': [{ Plan: Record<string, number> }] }[];
    const plan = row?.['QUERY PLAN'][0].Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  };
  await pages(few);
  expect(await pages(many)).toBeLessThan(1.6 * (await pages(few)));
  await reading.query('DEALLOCATE liked');
  await reading.query('RESET plan_cache_mode');
  await reading.release();
});

it('the numbers of likes of deleted notes and users are 0', async () => {
  const { source } = opened;
  await source.query('DELETE FROM notes WHERE id % 2 = 0');
  await expectNoDrift();
  await source.query('DELETE FROM users');
  await expectNoDrift();
  const rows = await source.query(
    'SELECT FROM list_counts WHERE list = 12 HAVING sum(elements) > 0',
  );
  expect(rows).toEqual([]);
});
