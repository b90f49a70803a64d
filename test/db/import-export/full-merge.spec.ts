import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { WordsRepository } from '../../../src/moderation/words.repository';
import { WordsService } from '../../../src/moderation/words.service';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { FullHandlers } from '../../../src/import-export/full/full-handlers';
import { person, simpleSubject } from './movies-records';
import { annotation, book, review } from './records';
import { FullTransfer } from './full';

let first: FullTransfer;
let second: FullTransfer;
let queue: ModerationQueueService;
let count = 0;
beforeAll(async () => {
  first = await FullTransfer.open();
  second = await FullTransfer.open();
  queue = new ModerationQueueService(second.opened.database);
  queue.register('review', {
    lock: () => Promise.resolve(true),
    show: () => Promise.resolve(),
    hide: () => Promise.resolve(undefined),
  });
});
beforeEach(async () => {
  const tables =
    'users, books, series, subjects, celebrities, banned_words, pictures, merged_records';
  for (const full of [first, second]) {
    await full.query(`TRUNCATE ${tables} RESTART IDENTITY CASCADE`);
  }
});
afterAll(async () => {
  await first.close();
  await second.close();
});

/** Imports the first service as it is now into the second. @returns what was wrong */
async function carry(): Promise<string[]> {
  count += 1;
  return (await second.importInPart(await first.export(`whole-${count}`))).reasons;
}

const HIDDEN_REVIEW = { ...review(31, 3, 7, {}), hidden: true };
const entries = async (full = second): Promise<string[]> => {
  const rows = await full.query<{ entry: string }>(
    `SELECT format('%s of %s: %s', kind, target_id, coalesce(decision, 'open')) AS entry
     FROM moderation_queue ORDER BY id`,
  );
  return rows.map(({ entry }) => entry);
};
const isHeld = async (): Promise<boolean | undefined> =>
  (await second.query<{ hidden: boolean }>('SELECT hidden FROM reviews WHERE id = 31'))[0]?.hidden;
const shown = async (table: string): Promise<boolean | undefined> =>
  (
    await second.query<{ shown: boolean }>(`SELECT deleted_at IS NULL AS shown FROM ${table}
     WHERE id = 7`)
  )[0]?.shown;

it('a full import returns a text to the review queue that is released here and queued in the file', async () => {
  await first.transfer.take('review', [HIDDEN_REVIEW]);
  expect(await carry()).toEqual([]);
  await second.query('UPDATE reviews SET hidden = false');
  const { items } = await queue.list({ start: 0, count: 10 });
  await queue.release(items[0]?.id ?? 0, 'mo');
  expect(await carry()).toEqual([]);
  expect(await isHeld()).toBe(true);
  expect(await entries()).toEqual(['review of 31: released', 'review of 31: open']);
});

it('a full import keeps a text in the review queue that is queued here and released in the file', async () => {
  await first.transfer.take('review', [HIDDEN_REVIEW]);
  expect(await carry()).toEqual([]);
  await first.query(`UPDATE moderation_queue SET decision = 'released', decided_at = now()`);
  await first.query('UPDATE reviews SET hidden = false');
  expect(await carry()).toEqual([]);
  expect([await isHeld(), await entries()]).toEqual([true, ['review of 31: open']]);
});

it('a full import keeps one queue entry for a text that is queued here under another id', async () => {
  await second.query(`SELECT setval('moderation_queue_id_seq', 40)`);
  await second.transfer.take('review', [HIDDEN_REVIEW]);
  await first.transfer.take('review', [HIDDEN_REVIEW]);
  expect(await carry()).toEqual([]);
  expect(await entries()).toEqual(['review of 31: open']);
});

it('a full import reports a queue id that another text has, and queues the text under a new id', async () => {
  await second.transfer.take('review', [{ ...HIDDEN_REVIEW, id: 32 }]);
  await first.transfer.take('review', [HIDDEN_REVIEW]);
  expect(await carry()).toEqual(['id 1 belongs to an entry with another target']);
  expect(await isHeld()).toBe(true);
  expect(await entries()).toEqual(['review of 32: open', 'review of 31: open']);
});

it('a full import keeps the id of a banned word and takes its action from the file', async () => {
  const of = ({ opened }: FullTransfer) => new WordsService(new WordsRepository(opened.database));
  await of(first).addWords(['spam', 'moon'], 'refuse', 'mo');
  await of(second).addWords(['other', 'M o o n'], 'hold', 'me');
  expect(await carry()).toEqual([]);
  const { items } = await of(second).list({ start: 0, count: 10 });
  expect(items.map(({ word, action }) => [word, action])).toEqual([
    ['moon', 'refuse'],
    ['other', 'hold'],
    ['spam', 'refuse'],
  ]);
});

const BOOKS = [1, 2, 3, 4].map((id) => ({ id, title: `Book ${id}` }));

const merges = async (): Promise<string[]> => {
  const rows = await second.query<{ merge: string }>(
    `SELECT format('%s %s: %s', kind, id, survivor_id) AS merge FROM merged_records ORDER BY id`,
  );
  return rows.map(({ merge }) => merge);
};
const insertMerges = (full: FullTransfer, pairs: readonly (readonly [number, number])[]) =>
  full.query(
    `INSERT INTO merged_records (kind, id, survivor_id)
     SELECT 'book', p.id, p.survivor FROM json_to_recordset('${JSON.stringify(
       pairs.map(([id, survivor]) => ({ id, survivor })),
     )}') AS p(id bigint, survivor bigint)`,
  );

/** Merges in this installation and in the file, and the result with the number of errors. */
const MERGE_CASES: readonly (readonly [
  what: string,
  here: readonly (readonly [number, number])[],
  file: readonly (readonly [number, number])[],
  after: readonly string[],
  errors: number,
])[] = [
  [
    'merged again here',
    [
      [1, 3],
      [2, 3],
    ],
    [[1, 2]],
    ['1: 3', '2: 3'],
    0,
  ],
  [
    'merged again there',
    [[1, 2]],
    [
      [1, 3],
      [2, 3],
    ],
    ['1: 3', '2: 3'],
    0,
  ],
  ['whose survivor was merged here', [[2, 3]], [[1, 2]], ['1: 3', '2: 3'], 0],
  ['merged in the other direction here', [[2, 1]], [[1, 2]], ['2: 1'], 1],
  [
    'merged in a chain',
    [],
    [
      [1, 2],
      [2, 3],
      [3, 4],
    ],
    ['1: 4', '2: 4', '3: 4'],
    0,
  ],
  ['merged into a missing one', [], [[1, 99]], [], 1],
];

it.each(MERGE_CASES)('a full import with books %s', async (_, here, file, after, errors) => {
  for (const full of [first, second]) {
    await full.query('DELETE FROM merged_records');
    await full.transfer.take('book', BOOKS);
  }
  await insertMerges(first, file);
  await insertMerges(second, here);
  const faults = await carry();
  expect(faults).toHaveLength(errors);
  expect(await merges()).toEqual(after.map((pair) => `book ${pair}`));
  await first.query('DELETE FROM merged_records');
});

it.each([2, 4])('a full import rejects one of %i merges that form a cycle', async (length) => {
  for (const full of [first, second]) {
    await full.query('DELETE FROM merged_records');
    await full.transfer.take('book', BOOKS);
  }
  const ids = Array.from({ length }, (_, at) => at + 1);
  await insertMerges(
    first,
    ids.map((id) => [id, (id % length) + 1] as const),
  );
  expect(await carry()).toEqual([expect.stringMatching(/^the survivor of book \d was merged/)]);
  const stored = await merges();
  expect(stored).toHaveLength(length - 1);
  expect(new Set(stored.map((merge) => merge.split(': ')[1])).size).toBe(1);
  await first.query('DELETE FROM merged_records');
});

it('a full import keeps the blocks of existing users', async () => {
  const blocks = () =>
    second.query(`SELECT id::int, blocked_reason FROM users WHERE NOT placeholder ORDER BY id`);
  const users = [1, 2].map((id) => ({ id, uid: `user-${id}`, name: `User ${id}` }));
  await second.transfer.take('user', users);
  await second.query(`UPDATE users SET blocked_at = now(), blocked_reason = 'here' WHERE id = 1`);
  await first.transfer.take('user', [...users, { id: 3, uid: 'user-3', name: 'User 3' }]);
  await first.query(`UPDATE users SET blocked_at = now(), blocked_reason = 'there' WHERE id > 1`);
  expect(await carry()).toEqual([]);
  expect(await blocks()).toEqual([
    { id: 1, blocked_reason: 'here' },
    { id: 2, blocked_reason: null },
    { id: 3, blocked_reason: 'there' },
  ]);
  const folder = await first.export('blocked-users');
  const progress = await second.import(folder);
  expect(progress.find(({ kind }) => kind === 'user')).toMatchObject({ skipped: 3 });
});

it('a full import reports times that are no dates', async () => {
  await first.transfer.take('book', BOOKS.slice(0, 2));
  await first.query(`UPDATE books SET updated_at = 'infinity' WHERE id = 1`);
  await first.query(`INSERT INTO merged_records (kind, id, survivor_id, merged_at)
    VALUES ('book', 9, 2, 'infinity')`);
  const faults = await carry();
  expect([...faults].sort()).toEqual(['merged_at must be a time', 'updated_at must be a time']);
  expect(await second.query('SELECT id::int FROM books')).toEqual([{ id: 2 }]);
});

it('a full import does not restore a deleted record for a placeholder in the file', async () => {
  const subject = { ...simpleSubject(7, 'a'), casts: [person(7, 'x')] };
  await first.transfer.take('movie', [{ ...simpleSubject(8, 'b'), casts: [person(7, 'x')] }]);
  await first.transfer.take('celebrity', [{ ...person(9, 'y'), works: [subject] }]);
  await first.transfer.take('review', [review(31, 3, 7, {})]);
  await second.transfer.take('movie', [subject]);
  await second.transfer.take('celebrity', [person(7, 'x')]);
  await second.transfer.take('book', [book(7, { title: 'Removed' })]);
  await second.query('UPDATE subjects SET deleted_at = now()');
  await second.query('UPDATE celebrities SET deleted_at = now()');
  await second.query('UPDATE books SET deleted_at = now(), placeholder = true');
  expect(await carry()).toEqual([]);
  // The same holds for a record in a file of a single kind.
  await second.transfer.take('movie', [{ ...simpleSubject(10, 'c'), casts: [person(7, 'x')] }]);
  await second.transfer.take('celebrity', [{ ...person(11, 'z'), works: [subject] }]);
  expect(await Promise.all(['subjects', 'celebrities', 'books'].map(shown))).toEqual([
    false,
    false,
    false,
  ]);
  expect(await second.query('SELECT title FROM books WHERE id = 7')).toEqual([
    { title: 'Removed' },
  ]);
});

it('a full import deletes records that the file deletes, and restores those that it shows', async () => {
  for (const full of [first, second]) await full.transfer.take('book', [book(7, { title: 't' })]);
  const found = () => second.query('SELECT 1 FROM book_search WHERE book_id = 7');
  await first.query('UPDATE books SET deleted_at = now(), placeholder = true');
  expect(await carry()).toEqual([]);
  expect([await shown('books'), await found()]).toEqual([false, []]);
  expect(await second.transfer.export('book')).toBe('');
  await first.query('UPDATE books SET deleted_at = NULL, placeholder = false');
  expect(await carry()).toEqual([]);
  expect([await shown('books'), (await found()).length]).toEqual([true, 1]);
});

it('a full import keeps the pictures of an annotation in review hidden', async () => {
  const path = `/pictures/u/${'ab'.repeat(32)}-l.jpg`;
  const record = annotation(21, 3, 7, { photos: { 1: path } });
  await second.query(
    `INSERT INTO pictures (hash, extension, width, height, bytes)
     VALUES (decode(repeat('ab', 32), 'hex'), 'jpg', 1, 1, 1)`,
  );
  const hidden = () => second.query('SELECT private FROM picture_uses');
  await second.transfer.take('annotation', [{ ...record, hidden: true }]);
  await second.transfer.take('annotation', [{ ...record, content: 'other' }]);
  expect(await hidden()).toEqual([{ private: true }]);
});

const entry = {
  ...{ id: '1', kind: 'review', target_id: 31, user_id: 3, words: ['a'], excerpt: 'x' },
  ...{ created_at: '2025-01-01T00:00:00+00:00', decision: null, decided_at: null },
};
const word = { id: '1', word: 'spam', action: 'hold', created: '2025-01-01', created_by: 'mo' };

it.each<[string, string, Record<string, unknown>]>([
  ['of a kind that cannot be held', 'moderation-entry', { ...entry, kind: 'user' }],
  ['of nobody', 'moderation-entry', { ...entry, user_id: 4711 }],
  ['of a text whose id is too large', 'moderation-entry', { ...entry, target_id: 2 ** 53 }],
  ['with a decision that there is not', 'moderation-entry', { ...entry, decision: 'x' }],
  ['with words that are no list', 'moderation-entry', { ...entry, words: 'a' }],
  ['with a NUL', 'moderation-entry', { ...entry, excerpt: 'a\0b' }],
  ['of what cannot be reported', 'report', { ...entry, kind: 'series', reason: 'x' }],
  ['without a letter', 'banned-word', { ...word, word: '!?' }],
  ['that does what there is not', 'banned-word', { ...word, action: 'x' }],
  ['of no time', 'banned-word', { ...word, created: 'then' }],
])('a full import reports an entry %s, and imports the others: %s', async (_what, name, record) => {
  await second.transfer.take('user', [{ id: '3', uid: 'ann', name: 'Ann' }]);
  const kind = new FullHandlers(new RecordHandlers(), second.storage).named(name);
  const good =
    name === 'banned-word' ? { ...word, word: 'moon' } : { ...entry, reason: 'x', comment: '' };
  const { summary, faults } = await second.transfer.import(kind, [record, { ...good, id: '2' }]);
  expect([summary, faults.map(({ line }) => line)]).toEqual([
    { imported: 1, updated: 0, skipped: 0, failed: 1 },
    [1],
  ]);
});
