import { createHash } from 'node:crypto';
import { readFile, readdir, rename } from 'node:fs/promises';
import {
  BOOKS,
  CELEBRITIES,
  EVENTS as EVENTS_OF_ADMIN,
  LOCS as LOCS_OF_ADMIN,
  SUBJECTS,
} from '../../../src/admin/records/record-types';
import { RecordsService } from '../../../src/admin/records/records.service';
import { AuditService } from '../../../src/audit/audit.service';
import { Settings } from '../../../src/config/settings';
import { addPictures, usePictures } from '../../../src/images/pictures.repository';
import { PicturesService } from '../../../src/images/pictures.service';
import { type PictureSubject } from '../../../src/images/pictures.repository';
import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { WordsRepository } from '../../../src/moderation/words.repository';
import { WordsService } from '../../../src/moderation/words.service';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { readManifest } from '../../../src/import-export/full/manifest';
import { PictureHandler } from '../../../src/import-export/full/picture.handler';
import { flat } from '../../factories/pictures';
import { EVENTS, LOCS, PARTICIPATIONS } from './events-records';
import { person, simpleSubject, WHOLE, WORKS } from './movies-records';
import { like, note, NOTE_KINDS, NOTE_RECORDS, reply } from './notes-records';
import { contentTables, rowsOf } from './content-tables';
import { type Wire } from './transfer';
import { annotation, collection, KINDS, RECORDS, review } from './records';
import { filesOf, recordsOf, FullTransfer } from './full';
import { prepareOne } from '../../factories/prepared-pictures';

let first: FullTransfer;
let second: FullTransfer;
beforeAll(async () => {
  first = await FullTransfer.open();
  second = await FullTransfer.open({ TIME_ZONE: 'America/New_York' });
});
afterAll(async () => {
  await first.close();
  await second.close();
});

/** Gives an annotation or a note a picture, as an upload does. */
async function show(
  subject: PictureSubject,
  id: number,
  number: number,
  hidden: boolean,
): Promise<void> {
  const pictures = new PicturesService(first.storage, first.opened.database, new Settings());
  const drawn = flat(300 + number, 200, `#${10 + id}40${number}0`);
  const picture = await prepareOne(pictures, await drawn.jpeg().toBuffer());
  await pictures.store([picture]);
  await first.opened.database.transaction(async (runner) => {
    await addPictures(runner, [picture]);
    const use = { number, hash: picture.hash, private: hidden };
    await usePictures(runner, subject, id, [use]);
  });
  await first.query(
    `UPDATE ${subject}s SET photos = photos || $2::jsonb
     ${subject === 'annotation' ? ', last_photo = greatest(last_photo, $3)' : ''} WHERE id = $1`,
    [id, JSON.stringify({ [number]: picture.path }), ...(subject === 'annotation' ? [number] : [])],
  );
}

/** State that records alone cannot create. */
const MORE = [
  `INSERT INTO merged_records (kind, id, survivor_id)
   SELECT 'book', 999004, min(id) FROM books UNION ALL SELECT 'movie', 999004, min(id) FROM subjects`,
  `UPDATE users SET blocked_at = '2024-02-03 04:05:06.789+08' WHERE id = 52`,
  `UPDATE users SET created_at = '2011-01-02 03:04:05+08' WHERE id = 3`,
  `UPDATE books SET created_at = '2012-01-02 03:04:05+08', updated_at = '2013-01-01' WHERE id = 7`,
  `UPDATE annotations SET created_at = '2001-01-01 00:00:00+00' WHERE id = 21`,
  // An hour that comes twice in New York.
  `UPDATE annotations SET updated_at = '2010-11-07 06:30:00+00' WHERE id = 22`,
  `UPDATE subjects SET created_at = '2010-10-10', updated_at = '2011-11-11' WHERE id = 7`,
  `INSERT INTO users (id, uid, name, signature, placeholder) VALUES (900, 'met', 'Met', 's', true)`,
  `INSERT INTO books (id, title, placeholder, created_at) VALUES (901, '', true, '2015-05-05')`,
  `INSERT INTO series (id, title) VALUES (77, 'Nothing in it')`,
  `INSERT INTO book_sources (source, key, book_id, created_book) VALUES ('elsewhere', 'k/1', 8, true)`,
  `INSERT INTO cities (id, uid, name, placeholder) VALUES (903, '903', 'Met', true)`,
  `UPDATE notes SET published_at = '2014-04-04', updated_at = '2014-04-05' WHERE id = 70`,
  `INSERT INTO note_versions (id, note_id, title, content, replaced_at)
   VALUES (5, 8, 'before', E' it was\n', '2013-03-03 03:03:03+00'), (6, 8, '', '', '2013-03-04')`,
  `UPDATE friendships SET created_at = '2010-11-07 06:30:00+00' WHERE user_id = 41`,
  `UPDATE events SET created_at = '2025-05-05', updated_at = '2025-06-06' WHERE id = 11`,
  `UPDATE users SET role = 'administrator' WHERE id = 52`,
  `INSERT INTO reports (kind, target_id, user_id, reason, decision, decided_at, decided_by, comment)
   VALUES ('note', 9, 41, E'is it\n', NULL, NULL, NULL, ''),
     ('collection', 66, 3, 'spam', 'hidden', '2025-01-02 03:04:05+08', 'mo', 'yes')`,
];

/** Texts that were held back, one of each kind. */
const HIDDEN_RECORDS: Readonly<Record<string, Wire>> = {
  collection: collection(66, 41, 9, { tags: ['held'], rating: { max: 5, min: 0, value: '4' } }),
  annotation: annotation(23, 41, 9, {}),
  review: review(33, 41, 9, {}),
  note: note(10, { title: 'held' }),
  'note-reply': reply(7, 7, 'held'),
};

/** Moderators have seen some texts, and their words, and not others. */
async function moderate(): Promise<void> {
  const { database } = first.opened;
  for (const [kind, record] of Object.entries(HIDDEN_RECORDS)) {
    await first.transfer.take(kind, [{ ...record, hidden: true }]);
  }
  const queue = new ModerationQueueService(database);
  queue.register('collection', {
    lock: () => Promise.resolve(true),
    show: () => Promise.resolve(),
    hide: () => Promise.resolve(undefined),
  });
  const { items } = await queue.list({ start: 0, count: 10 });
  await queue.reject(items.find(({ kind }) => kind === 'collection')?.id ?? 0, 'mo');
  const words = new WordsService(new WordsRepository(database));
  await words.addWords(['Moon  juice', '云间'], 'hold', 'mo');
  await words.addWords(['spam'], 'refuse', 'mo');
  // Decisions about earlier versions.
  await first.query(
    `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at,
       decided_by)
     VALUES ('note', 7, 3, '{a,"b c"}', E' x\ty', 'released', '2025-01-02 03:04:05+08', 'mo'),
       ('note', 7, 3, '{}', '', 'withdrawn', '2025-01-03', NULL)`,
  );
}

/** By kind of what administrators remove, one that others have something to do with, or not. */
const REMOVED = [
  [BOOKS, { ...(RECORDS.book[0] as Wire), id: '17', isbn13: '', isbn10: '' }],
  [SUBJECTS, { ...WHOLE, id: '17', title: 'removed' }],
  [CELEBRITIES, person(17, 'removed')],
  [LOCS_OF_ADMIN, { id: '17', name: 'removed', uid: 'removed' }],
  [EVENTS_OF_ADMIN, { ...EVENTS[0], id: '17', loc_id: '17' }],
] as const;

async function remove(): Promise<void> {
  const { database } = first.opened;
  const audit = new AuditService(database);
  const records = new RecordsService(database, database, new RecordHandlers(), audit);
  for (const [{ kind }, record] of REMOVED) await first.transfer.take(kind, [record]);
  await first.transfer.take('collection', [
    collection(67, 52, 17, { tags: ['of a removed book'] }),
  ]);
  await first.transfer.take('participation', [{ ...PARTICIPATIONS[0], id: 39, event_id: '17' }]);
  for (const [of] of REMOVED) await records.deleteRecord(of, 17, { name: 'mo' });
}

it('a full export restored into an empty service exports the same bytes', async () => {
  for (const kind of KINDS) await first.transfer.take(kind, RECORDS[kind]);
  const city = { id: 1, uid: 'beijing', name: '北京', time_zone: 'Asia/Shanghai' };
  await first.transfer.take('loc', [city]);
  await first.transfer.take('movie', [WHOLE]);
  await first.transfer.take('credit', [WORKS]);
  const top = first.transfer.charts({ name: 'top250', date: '2024-05-01' });
  await first.transfer.take(top, [
    { title: 'x', subjects: [simpleSubject(7, 's'), simpleSubject(9, 'n')] },
  ]);
  await first.transfer.take('showing', [{ subject_id: '7', city_id: '1', from: '2024-05-01' }]);
  for (const kind of NOTE_KINDS) await first.transfer.take(kind, NOTE_RECORDS[kind]);
  // Of note 70 nothing else is known.
  await first.transfer.take('note-reply', [reply(71, 70)]);
  await first.transfer.take('note-like', [like(70, 3)]);
  await first.transfer.take('loc', LOCS);
  await first.transfer.take('event', EVENTS);
  await first.transfer.take('participation', PARTICIPATIONS);
  await moderate();
  await remove();
  for (const sql of MORE) await first.query(sql);
  await show('annotation', 22, 1, false);
  await show('annotation', 22, 2, false);
  await show('annotation', 21, 3, true);
  await show('annotation', 23, 6, true);
  await show('note', 9, 4, false);
  await show('note', 7, 5, true);

  const folder = await first.export('first');
  await second.import(folder);
  const again = await second.export('second');
  expect(await filesOf(again)).toEqual(await filesOf(folder));
  expect(recordsOf(await readManifest(folder))).toMatchObject({
    ...{
      'user-placeholder': 7,
      'book-placeholder': 1,
      'loc-placeholder': 1,
      series: 2,
      user: 4,
      book: 5,
    },
    ...{ collection: 5, annotation: 3, review: 3, loc: 4, 'book-source': 1, picture: 6 },
    ...{ 'note-placeholder': 1, friend: 3, note: 5, 'note-reply': 5, 'note-like': 4 },
    ...{ 'note-version': 2, event: 3, participation: 4 },
    ...{ 'banned-word': 3, 'moderation-entry': 7, report: 2 },
  });
});

it('the test data has rows in every table with content', async () => {
  const empty: string[] = [];
  for (const table of await contentTables(first)) {
    if ((await rowsOf(first, table)).length === 0) empty.push(table);
  }
  expect(empty).toEqual([]);
});

it('a full import restores every column of every table with content', async () => {
  const [one, other] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const table of await contentTables(first)) {
    one.set(table, await rowsOf(first, table));
    other.set(table, await rowsOf(second, table));
  }
  expect(other).toEqual(one);
});

it('a full import restores the files of pictures', async () => {
  const hashes = await first.query<{ name: string }>(
    `SELECT encode(hash, 'hex') || '-' || v || '.' || extension AS name
     FROM pictures, unnest(ARRAY['l', 's']) v ORDER BY 1`,
  );
  expect(hashes).toHaveLength(12);
  for (const { name } of hashes) {
    const file = await readFile(second.storage.placeOf(name));
    expect(file.equals(await readFile(first.storage.placeOf(name)))).toBe(true);
  }
});

it('the size of an imported picture is that of its file', () => {
  const file = Buffer.from('a picture');
  const record = {
    ...{ hash: createHash('sha256').update(file).digest('hex'), extension: 'jpg', uses: [] },
    ...{ width: 1, height: 1, bytes: 1, created: '2025-01-01T00:00:00+00:00' },
    ...{ large: file.toString('base64'), small: file.toString('base64') },
  };
  expect(new PictureHandler(second.storage).parse(record).bytes).toBe(file.length);
});

it('a second full import changes nothing', async () => {
  const folder = first.place('first');
  const progress = await second.import(folder);
  for (const { kind, total, skipped, records } of progress) {
    expect([kind, records, skipped]).toEqual([kind, total, total]);
  }
  expect(await filesOf(await second.export('third'))).toEqual(await filesOf(folder));
});

it('a full import stores no pictures while their folder is not mounted', async () => {
  const [folder, moved] = [second.place('pictures'), second.place('moved')];
  await rename(folder, moved);
  await expect(second.import(first.place('first'))).rejects.toMatchObject({ status: 503 });
  expect(await readdir(second.folder)).not.toContain('pictures');
  await rename(moved, folder);
});

it('a full export has no logos, because it has no applications', async () => {
  const pictures = new PicturesService(first.storage, first.opened.database, new Settings());
  const picture = await prepareOne(pictures, await flat(30, 30).png().toBuffer());
  await pictures.store([picture]);
  const [shared] = await first.query<{ hash: string }>(
    `SELECT min(encode(hash, 'hex')) AS hash FROM picture_uses`,
  );
  for (const [id, hash] of [picture.hash, shared?.hash ?? ''].entries())
    await usePictures(first.opened.database, 'application', id + 1, [
      { number: 1, hash, private: false },
    ]);
  expect(await filesOf(await first.export('with-logos'))).toEqual(
    await filesOf(first.place('first')),
  );
});

it('after a full import new records get unused ids', async () => {
  const sequences = await second.query<{ name: string; id: string }>(
    `SELECT table_name AS name, column_name AS id FROM information_schema.columns
     WHERE table_schema = 'public' AND is_identity = 'YES' ORDER BY 1`,
  );
  const taken: string[] = [];
  for (const { name, id } of sequences) {
    // Far ahead are only ids that records brought, which own numbers stay away from.
    const [row] = await second.query<{ next: string; last: string | null }>(
      `SELECT nextval(pg_get_serial_sequence('${name}', '${id}')) AS next, max(${id}) AS last
       FROM ${name} WHERE ${id} < ${2 ** 52}`,
    );
    if (BigInt(row?.next ?? 0) <= BigInt(row?.last ?? 0)) taken.push(name);
  }
  expect(taken).toEqual([]);
  expect(sequences.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['moderation_queue', 'books']),
  );
});

describe('a picture in a full import', () => {
  const use = { subject: 'note', subject_id: '1', number: 77, private: false };
  const record = (uses: readonly object[]): object => ({
    ...{ hash: 'ab'.repeat(32), extension: 'png', width: 1, height: 1, bytes: 1, uses },
    ...{ created: '2025-01-01T00:00:00+00:00', large: '', small: '' },
  });

  it('is rejected when records of an unknown kind use it', () => {
    const handler = new PictureHandler(second.storage);
    for (const subject of ['application', 'review', '']) {
      expect(() => handler.parse(record([{ ...use, subject }]))).toThrow('subject');
    }
  });

  it('has one use when the file lists the same one twice', async () => {
    const handler = new PictureHandler(second.storage);
    const photos = { [use.number]: `/pictures/u/${'ab'.repeat(32)}-l.png` };
    const [note] = await second.query<{ id: string }>('SELECT min(id) AS id FROM notes');
    await second.query(
      `UPDATE notes SET photos = photos || '${JSON.stringify(photos)}' WHERE id = ${note?.id}`,
    );
    const own = { ...use, subject_id: note?.id };
    await handler.write(second.opened.database, [handler.parse(record([own, own]))]);
    const uses = await second.query(
      `SELECT number FROM picture_uses WHERE hash = decode('${'ab'.repeat(32)}', 'hex')`,
    );
    expect(uses).toEqual([{ number: 77 }]);
  });
});
