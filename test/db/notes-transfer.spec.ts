import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../harness';
import { AWKWARD } from './transfer-records';
import { summary, toLines, Transfer, type Wire } from './transfer';

const KINDS = ['friend', 'note', 'note-reply'] as const;

/** A note as an export writes it. */
const note = (id: number, more: Wire = {}): Wire => ({
  id: String(id),
  ...(more.author_id === null ? {} : { author_id: more.author_id ?? '3' }),
  title: more.title ?? 't',
  content: more.content ?? 'c',
  privacy: more.privacy ?? 'public',
  can_reply: more.can_reply ?? true,
  photos: more.photos ?? {},
  comments_count: more.comments_count ?? 0,
  liked_count: more.liked_count ?? 0,
  recs_count: more.recs_count ?? 0,
  publish_time: more.publish_time ?? '2012-12-14 15:14:47',
  update_time: more.update_time ?? '2012-12-14 15:14:56',
});
const reply = (id: number, of: number, content = 'c', author = 52): Wire => ({
  id: String(id),
  note_id: String(of),
  author_id: String(author),
  content,
  created: '2012-05-19 21:52:48',
});

const RECORDS: Readonly<Record<(typeof KINDS)[number], readonly Wire[]>> = {
  friend: [
    { user_id: '3', friend_id: '41' },
    { user_id: '3', friend_id: '52' },
    { user_id: '41', friend_id: '52' },
  ],
  note: [
    note(7, {
      title: AWKWARD,
      content: AWKWARD,
      privacy: 'friend',
      can_reply: false,
      photos: { '2': 'http://x/2.jpg', '3': '/pictures/3.jpg', '10': 'http://x/10.jpg' },
      comments_count: 5,
      liked_count: 1000000000,
      recs_count: 4,
    }),
    note(8, { content: '', privacy: 'private' }),
    note(9, { author_id: null, comments_count: 1 }),
    note(9007199254740000, {}),
  ],
  'note-reply': [reply(4, 7, AWKWARD), reply(5, 7), reply(6, 9, 'c', 41)],
};

let opened: TestDatabase[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});
async function open(): Promise<Transfer> {
  const one = await openTestDatabase();
  opened.push(one);
  return new Transfer(one.database);
}

it('goes in whichever kind comes first, comes out as it went in, and again as nothing new', async () => {
  const onward = await open();
  const backward = await open();
  for (const [transfer, kinds] of [
    [onward, KINDS],
    [backward, [...KINDS].reverse()],
  ] as const) {
    for (const kind of kinds) {
      const { length } = RECORDS[kind];
      expect(await transfer.take(kind, RECORDS[kind])).toEqual(summary({ imported: length }));
    }
    for (const kind of kinds) {
      expect(await transfer.export(kind)).toBe(toLines(RECORDS[kind]));
      const { length } = RECORDS[kind];
      expect(await transfer.take(kind, RECORDS[kind])).toEqual(summary({ skipped: length }));
    }
  }
});

it('carries the friends, notes and replies of the sample over', async () => {
  const first = await open();
  const second = await open();
  const files = { friend: 'friends', note: 'notes', 'note-reply': 'note-replies' };
  for (const kind of KINDS) {
    const file = readFileSync(join(__dirname, `../../src/sample/data/${files[kind]}.ndjson`));
    expect((await first.import(kind, file)).faults).toEqual([]);
    await second.import(kind, await first.export(kind));
  }
  for (const kind of KINDS) {
    expect(await second.export(kind)).toBe(await first.export(kind));
    expect((await second.records(kind)).length).toBeGreaterThan(8);
  }
  // The figures of notes are those of the replies that come with them.
  const sql = 'SELECT id FROM notes WHERE replies_base > 0 OR replies = 0 AND id = 1';
  expect(await second.query(sql)).toEqual([]);
});

it('takes a friendship from either side as one', async () => {
  const transfer = await open();
  const both = [
    { user_id: 41, friend_id: 3 },
    { user_id: '3', friend_id: '41' },
  ];
  expect(await transfer.take('friend', both)).toEqual(summary({ imported: 1, skipped: 1 }));
  expect(await transfer.records('friend')).toEqual([{ user_id: '3', friend_id: '41' }]);
});

describe('replies, which belong to the figure that came with their note', () => {
  const count = async (transfer: Transfer): Promise<unknown> =>
    (await transfer.records('note')).map(({ comments_count }) => comments_count);

  it('do not add to it until there are more of them', async () => {
    const transfer = await open();
    await transfer.take('note', [note(7, { comments_count: 2 })]);
    await transfer.take('note-reply', [reply(4, 7)]);
    expect(await count(transfer)).toEqual([2]);
    await transfer.take('note-reply', [reply(5, 7), reply(6, 7)]);
    expect(await count(transfer)).toEqual([3]);
    // A file that knew of fewer is no news.
    expect(await transfer.take('note', [note(7, { comments_count: 2 })])).toEqual(
      summary({ skipped: 1 }),
    );
    expect(await count(transfer)).toEqual([3]);
  });

  it('leave the note that they were with', async () => {
    const transfer = await open();
    await transfer.take('note', [note(7), note(8)]);
    await transfer.take('note-reply', [reply(4, 7)]);
    await transfer.take('note-reply', [reply(4, 8)]);
    expect(await count(transfer)).toEqual([0, 1]);
  });
});

describe('saved responses', () => {
  const saved = {
    update_time: '2013-02-03 10:00:09',
    publish_time: '2013-02-03 10:00:00',
    photos: { '2': 'http://img.test/n-2.jpg' },
    recs_count: 0,
    alt: 'http://web.test/note/4711/',
    id: '4711',
    can_reply: true,
    title: '一篇',
    privacy: 'public',
    summary: '写了一点字',
    content: '写了一点字',
    comments_count: 0,
    liked_count: 0,
  };

  it('of a note go in, with an author when one is named, who then stays', async () => {
    const transfer = await open();
    const { alt: _alt, summary: _summary, ...members } = saved;
    await transfer.take('note', [saved]);
    expect(await transfer.records('note')).toEqual([members]);
    await transfer.import('note', [saved], { of: 3 });
    expect(await transfer.records('note')).toEqual([{ ...members, author_id: '3' }]);
    expect(await transfer.take('note', [saved])).toEqual(summary({ skipped: 1 }));
  });

  it('of replies go in as a list, when it is said to which note', async () => {
    const transfer = await open();
    const author = { avatar: 'http://x/a', alt: 'http://x', id: '40', name: '读者', uid: 'r40' };
    const comments = [{ content: '好', created: '2012-05-19 21:52:48', id: '6', author }];
    const list = { count: 20, start: 0, total: 1, comments };
    const { faults } = await transfer.import('note-reply', [list]);
    expect(faults).toMatchObject([{ reason: 'note_id is missing' }]);
    const { summary: went } = await transfer.import('note-reply', [list], { of: 4711 });
    expect(went).toEqual(summary({ imported: 1 }));
    expect(await transfer.records('note-reply')).toEqual([
      { id: '6', note_id: '4711', author_id: '40', content: '好', created: '2012-05-19 21:52:48' },
    ]);
    // Of the note itself nothing is known yet.
    expect(await transfer.records('note')).toEqual([]);
  });

  it.each([
    ['note', { ...saved, privacy: 'secret' }, /^privacy must be one of/],
    ['note', { ...saved, title: ' ' }, /^title is missing/],
    ['note', { ...saved, can_reply: 'yes' }, /^can_reply must be true or false/],
    ['friend', { user_id: 3, friend_id: 3 }, /^nobody is a friend of their own/],
    ['friend', { user_id: 3 }, /^friend_id is missing/],
    ['note-reply', { id: 1, note_id: 2, content: 'x' }, /^author_id is missing/],
  ])('that cannot be are told apart: %s %j', async (kind, record, reason) => {
    const { faults, summary: went } = await (await open()).import(kind, [record]);
    expect(faults).toEqual([{ file: 'file', line: 1, reason: expect.stringMatching(reason) }]);
    expect(went).toEqual(summary({ failed: 1 }));
  });
});
