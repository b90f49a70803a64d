import { WordsOfQueue1764753000000 } from '../../../migrations/1764753000000-words-of-queue';
import { reviewEdit } from '../../../src/moderation/moderation-queue.repository';
import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Transfer } from './transfer';

let opened: TestDatabase;
let transfer: Transfer;
beforeAll(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
});
afterAll(() => opened.close());

const TEXTS = {
  collection: { user_id: '1', book_id: '1', status: 'read', comment: 'Fine.' },
  annotation: { author_id: '1', book_id: '1', page_no: 1, content: 'An annotation.' },
  review: { author_id: '1', book_id: '1', title: 'On it', content: 'Fine.' },
  note: { author_id: '1', title: 'A day', content: 'Fine.' },
  'note-reply': { author_id: '1', note_id: '4711', content: 'Fine.' },
};
const KINDS = ['collection', 'annotation', 'review', 'note', 'note-reply'] as const;

it.each(KINDS)('a queued %s stays in the review queue after export and import', async (kind) => {
  const record = { id: 4711, ...TEXTS[kind] };
  const exported = async () => JSON.parse(await transfer.export(kind)) as { hidden?: boolean };
  const waiting = async () => {
    const { items } = await new ModerationQueueService(opened.database).list({
      start: 0,
      count: 100,
    });
    return items
      .filter((row) => row.kind === kind.replace('-', '_'))
      .map(({ target_id }) => target_id);
  };
  await transfer.import(kind, JSON.stringify(record));
  expect([(await exported()).hidden, await waiting()]).toEqual([undefined, []]);
  await transfer.import(kind, JSON.stringify({ ...record, hidden: true }));
  expect([(await exported()).hidden, await waiting()]).toEqual([true, [4711]]);
  await transfer.import(kind, JSON.stringify(await exported()));
  await transfer.import(kind, JSON.stringify(record));
  expect([(await exported()).hidden, await waiting()]).toEqual([true, [4711]]);
});

it.each([
  ['released', 'waits for a moderator', [4712]],
  ['released, withdrawn', 'waits for a moderator', [4712]],
  ['rejected', 'does not wait', []],
  ['rejected, withdrawn', 'waits for a moderator', [4712]],
])(
  'a text that was rejected, and then %s, %s when a file marks it as hidden',
  async (then, _, expected) => {
    await opened.source.query('DELETE FROM moderation_queue WHERE target_id = 4712');
    await opened.source.query('DELETE FROM notes WHERE id = 4712');
    const record = { id: 4712, ...TEXTS.note };
    await transfer.import('note', JSON.stringify({ ...record, hidden: false }));
    await opened.source.query(
      `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
       SELECT 'note', 4712, 1, '{}', '', decision, now()
       FROM unnest($1::text[]) WITH ORDINALITY AS d(decision, at) ORDER BY at`,
      [['rejected', ...then.split(', ')]],
    );
    await transfer.import('note', JSON.stringify({ ...record, hidden: true }));
    const rows: unknown[] = await opened.source.query(
      `SELECT target_id::int AS id FROM moderation_queue WHERE target_id = 4712 AND decision IS NULL`,
    );
    expect(rows).toEqual(expected.map((id) => ({ id })));
  },
);

it('an older decision with a higher id does not replace the last one', async () => {
  const record = { id: 4714, ...TEXTS.note };
  await opened.source.query(
    `INSERT INTO moderation_queue (id, kind, target_id, user_id, words, excerpt, decision, decided_at)
     VALUES (100001, 'note', 4714, 1, '{}', '', 'rejected', '2026-02-01'),
       (100002, 'note', 4714, 1, '{}', '', 'released', '2026-01-01')`,
  );
  await transfer.take('note', [record]);
  const hidden: unknown = await opened.source.query('SELECT hidden FROM notes WHERE id = 4714');
  expect(hidden).toEqual([{ hidden: true }]);
  const edited = {
    kind: 'note',
    id: 4714,
    userId: 1,
    moderationFlag: undefined,
    text: 'x',
  } as const;
  expect(await reviewEdit(opened.database, edited, true)).toBe(true);
});

it('a text that an import has hidden waits for a moderator after its author has edited it', async () => {
  await transfer.take('note', [{ id: 4715, ...TEXTS.note, hidden: true }]);
  const edit = (text: string, words?: string[]): Promise<boolean> => {
    const moderationFlag = words && { words, texts: [{ name: 'content', text }] };
    const edited = { kind: 'note', id: 4715, userId: 1, moderationFlag, text } as const;
    return reviewEdit(opened.database, edited, true);
  };
  const open = (): Promise<unknown> =>
    opened.source.query(
      `SELECT words, excerpt FROM moderation_queue WHERE target_id = 4715 AND decision IS NULL`,
    );
  expect(await edit('New')).toBe(true);
  expect(await edit('casino', ['casino'])).toBe(true);
  expect(await open()).toEqual([{ words: ['casino'], excerpt: 'content: casino' }]);
  expect(await edit('Newer')).toBe(true);
  expect(await open()).toEqual([{ words: [], excerpt: 'Newer' }]);
  await opened.source.query(
    `UPDATE moderation_queue SET decision = 'released', decided_at = now()
     WHERE target_id = 4715 AND decision IS NULL`,
  );
  expect(await edit('casino', ['casino'])).toBe(true);
  expect(await edit('Newest')).toBe(false);
});

it.each(KINDS)('a rejected %s stays hidden when an import restores it', async (kind) => {
  const { source } = opened;
  const type = kind.replace('-', '_');
  const table = kind === 'note-reply' ? 'note_replies' : `${kind}s`;
  const [own, other] = [4721, 4722].map((id) => ({ id, ...TEXTS[kind] }));
  await source.query(`DELETE FROM ${table}`);
  await transfer.take('user', [{ id: 2, uid: 'other', name: 'Other' }]);
  await source.query(
    `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
     SELECT $1, id, author, '{}', '', 'rejected', now()
     FROM (VALUES (4721, 1), (4722, 2)) AS r(id, author)`,
    [type],
  );
  await transfer.take(kind, [own, { ...other, ...(kind === 'collection' && { book_id: '2' }) }]);
  const rows: unknown[] = await source.query(`SELECT id::int, hidden FROM ${table} ORDER BY id`);
  // The entry of the other id is about a text of another user.
  expect(rows).toEqual([
    { id: 4721, hidden: true },
    { id: 4722, hidden: false },
  ]);
});

it('a queued reply is not counted on its note, in either order of import', async () => {
  const note = { id: 8, author_id: '1', title: 'A day', content: 'Fine.' };
  const replies = [true, false].map((hidden, at) => {
    return { id: 80 + at, author_id: '1', note_id: '8', content: 'Fine.', hidden };
  });
  const counts = async () =>
    opened.source.query('SELECT replies, replies_base FROM notes WHERE id = 8');
  await transfer.take('note-reply', replies);
  await transfer.take('note', [note]);
  expect(await counts()).toEqual([{ replies: 1, replies_base: 0 }]);
  // One that others saw is theirs no longer.
  await transfer.take('note-reply', [{ ...replies[1], hidden: true }]);
  expect(await counts()).toEqual([{ replies: 0, replies_base: 0 }]);
});

it('a queued note without a known author appears in the review queue when its author is imported', async () => {
  const note = { id: 9, title: 'A day', content: 'Fine.' };
  const waiting = async () => {
    const { items } = await new ModerationQueueService(opened.database).list({
      start: 0,
      count: 100,
    });
    return items.filter(({ target_id }) => target_id === 9).map(({ user_id }) => user_id);
  };
  await transfer.take('note', [{ ...note, hidden: true }]);
  expect(await waiting()).toEqual([]);
  await transfer.take('note', [{ ...note, author_id: '1' }]);
  expect(await waiting()).toEqual([1]);
  expect(await opened.source.query('SELECT hidden FROM notes WHERE id = 9')).toEqual([
    { hidden: true },
  ]);
});

it('a stored collection keeps its id, to which the queue and reports refer, when a file has another one', async () => {
  const record = { ...TEXTS.collection, user_id: '2', status: 'wish', hidden: true };
  await transfer.take('collection', [{ ...record, id: 50 }]);
  await opened.source.query(
    `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ('collection', 50, 1, 'dull')`,
  );
  const changed = { ...record, status: 'read' };
  expect(await transfer.take('collection', [{ ...changed, id: 60 }])).toMatchObject({ updated: 1 });
  expect(await transfer.take('collection', [{ ...changed, id: 70 }])).toMatchObject({ skipped: 1 });
  const rows: unknown = await opened.source.query(
    `SELECT c.id::int, c.status, q.decision, r.reason FROM collections c
     LEFT JOIN moderation_queue q ON q.kind = 'collection' AND q.target_id = c.id
     LEFT JOIN reports r ON r.kind = 'collection' AND r.target_id = c.id
     WHERE c.user_id = 2`,
  );
  expect(rows).toEqual([{ id: 50, status: 'read', decision: null, reason: 'dull' }]);
});

it('a hidden collection without an id enters the review queue', async () => {
  const records = ['3', '4'].map((user_id) => ({ ...TEXTS.collection, user_id, hidden: true }));
  await transfer.take('collection', [{ ...records[0], hidden: false }]);
  await transfer.take('collection', records);
  await transfer.take('collection', records);
  const rows: unknown = await opened.source.query(
    `SELECT c.user_id::int, q.excerpt FROM collections c
     JOIN moderation_queue q ON q.kind = 'collection' AND q.target_id = c.id
     WHERE c.user_id IN (3, 4) ORDER BY 1`,
  );
  expect(rows).toEqual([3, 4].map((user_id) => ({ user_id, excerpt: 'Fine.' })));
});

it('the words of entries are a plain list of texts, also of those that earlier versions imported', async () => {
  const add = (words: string): Promise<unknown> =>
    opened.source.query(
      `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
       VALUES ('note', 4713, 1, '${words}', '', 'released', now())`,
    );
  const constraint = /violates check constraint "moderation_queue_words"/;
  await expect(add('{a,NULL}')).rejects.toThrow(constraint);
  await expect(add('{{a},{b}}')).rejects.toThrow(constraint);
  const runner = opened.source.createQueryRunner();
  const migration = new WordsOfQueue1764753000000();
  await migration.down(runner);
  for (const words of ['{a,NULL}', '{{a,NULL},{b,c}}', '{}', '{d}']) await add(words);
  await migration.up(runner);
  await runner.release();
  const stored = await opened.source.query(
    'SELECT words FROM moderation_queue WHERE target_id = 4713 ORDER BY id',
  );
  expect(stored).toEqual([['a'], ['a', 'b', 'c'], [], ['d']].map((words) => ({ words })));
});
