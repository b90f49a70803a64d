import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transfersOfTest } from './open-transfer';
import { summary, toLines, type Transfer } from './transfer';
import { like, note, NOTE_KINDS, NOTE_RECORDS, reply } from './notes-records';

const open = transfersOfTest();

it('notes are imported in any order of types, exported unchanged, and a second import changes nothing', async () => {
  const onward = await open();
  const backward = await open();
  for (const [transfer, kinds] of [
    [onward, NOTE_KINDS],
    [backward, [...NOTE_KINDS].reverse()],
  ] as const) {
    for (const kind of kinds) {
      const { length } = NOTE_RECORDS[kind];
      expect(await transfer.take(kind, NOTE_RECORDS[kind])).toEqual(summary({ imported: length }));
    }
    for (const kind of kinds) {
      expect(await transfer.export(kind)).toBe(toLines(NOTE_RECORDS[kind]));
      const { length } = NOTE_RECORDS[kind];
      expect(await transfer.take(kind, NOTE_RECORDS[kind])).toEqual(summary({ skipped: length }));
    }
  }
});

it('export and import transfer the friends, notes and replies of the sample', async () => {
  const first = await open();
  const second = await open();
  const files = [
    ['friend', 'friends'],
    ['note', 'notes'],
    ['note-reply', 'note-replies'],
  ] as const;
  for (const [kind, name] of files) {
    const file = readFileSync(join(__dirname, `../../../src/sample/data/${name}.ndjson`));
    expect((await first.import(kind, file)).faults).toEqual([]);
    await second.import(kind, await first.export(kind));
  }
  for (const [kind] of files) {
    expect(await second.export(kind)).toBe(await first.export(kind));
    expect((await second.records(kind)).length).toBeGreaterThan(8);
  }
  // The figures of notes are those of the replies that come with them.
  const sql = 'SELECT id FROM notes WHERE replies_base > 0 OR replies = 0 AND id = 1';
  expect(await second.query(sql)).toEqual([]);
});

it('a friendship in either direction is one friendship', async () => {
  const transfer = await open();
  const both = [
    { user_id: 41, friend_id: 3 },
    { user_id: '3', friend_id: '41', created: '2011-01-01 10:00:00' },
  ];
  expect(await transfer.take('friend', both)).toEqual(summary({ imported: 1, skipped: 1 }));
  expect(await transfer.records('friend')).toEqual([both[1]]);
  // Omitted fields keep their stored values.
  expect(await transfer.take('friend', [both[0]])).toEqual(summary({ skipped: 1 }));
});

describe('replies that the imported reply count of a note includes', () => {
  const count = async (transfer: Transfer): Promise<unknown> =>
    (await transfer.records('note')).map(({ comments_count }) => comments_count);

  it('do not change the counter until they exceed it', async () => {
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

  it('stay with their note', async () => {
    const transfer = await open();
    await transfer.take('note', [note(7), note(8)]);
    await transfer.take('note-reply', [reply(4, 7)]);
    await transfer.take('note-reply', [reply(4, 8)]);
    expect(await count(transfer)).toEqual([0, 1]);
  });
});

describe('likes that the imported like count of a note includes', () => {
  const count = async (transfer: Transfer): Promise<unknown> =>
    (await transfer.records('note')).map(({ liked_count }) => liked_count);

  it('do not change the counter until they exceed it', async () => {
    const transfer = await open();
    await transfer.take('note', [note(7, { liked_count: 2 })]);
    await transfer.take('note-like', [like(7, 41)]);
    expect(await count(transfer)).toEqual([2]);
    await transfer.take('note-like', [like(7, 41), like(7, 52), like(7, 3)]);
    expect(await count(transfer)).toEqual([3]);
  });

  it('keep their time when a file omits it', async () => {
    const transfer = await open();
    await transfer.take('note-like', [like(7, 41)]);
    const bare = { note_id: 7, user_id: 41 };
    expect(await transfer.take('note-like', [bare])).toEqual(summary({ skipped: 1 }));
    // Of the note itself nothing is known yet.
    expect(await transfer.records('note')).toEqual([]);
  });
});

it('notes show exactly the existing pictures that they name', async () => {
  const transfer = await open();
  const place = (byte: string): string => `/pictures/u/${byte.repeat(32)}-l.jpg`;
  const uses = () =>
    transfer.query(
      `SELECT number, encode(hash, 'hex') AS hash, private FROM picture_uses
       WHERE subject = 'note' AND subject_id = 7 ORDER BY number`,
    );
  await transfer.query(
    `INSERT INTO pictures (hash, extension, width, height, bytes)
     SELECT decode(repeat(byte, 32), 'hex'), 'jpg', 1, 1, 1 FROM unnest(ARRAY['a1', 'b2']) byte`,
  );
  const photos = { '1': place('a1'), '2': place('c3'), '3': place('b2'), '4': 'http://x/4.jpg' };
  await transfer.take('note', [note(7, { photos, privacy: 'friend' })]);
  expect(await uses()).toEqual([
    { number: 1, hash: 'a1'.repeat(32), private: true },
    { number: 3, hash: 'b2'.repeat(32), private: true },
  ]);
  await transfer.take('note', [note(7, { photos: { '3': place('b2') } })]);
  expect(await uses()).toEqual([{ number: 3, hash: 'b2'.repeat(32), private: false }]);
});

describe('responses of the API', () => {
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

  it('with a note are imported, with the author of the first record that names one', async () => {
    const transfer = await open();
    const { alt: _alt, summary: _summary, ...members } = saved;
    await transfer.take('note', [saved]);
    expect(await transfer.records('note')).toEqual([members]);
    await transfer.import('note', [saved], { of: 3 });
    expect(await transfer.records('note')).toEqual([{ ...members, author_id: '3' }]);
    expect(await transfer.take('note', [saved])).toEqual(summary({ skipped: 1 }));
  });

  it('with replies are imported as a list when the note is given', async () => {
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
    ['friend', { user_id: 3, friend_id: 3 }, /^users cannot be friends of themselves/],
    ['friend', { user_id: 3 }, /^friend_id is missing/],
    ['note-reply', { id: 1, note_id: 2, content: 'x' }, /^author_id is missing/],
  ])('that are invalid are reported: %s %j', async (kind, record, reason) => {
    const { faults, summary: went } = await (await open()).import(kind, [record]);
    expect(faults).toEqual([{ file: 'file', line: 1, reason: expect.stringMatching(reason) }]);
    expect(went).toEqual(summary({ failed: 1 }));
  });
});
