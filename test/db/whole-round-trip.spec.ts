import { readFile } from 'node:fs/promises';
import { addPictures, usePictures } from '../../src/images/pictures.repository';
import { PicturesService } from '../../src/images/pictures.service';
import { readManifest } from '../../src/transfer/whole/manifest';
import { flat } from '../factories/pictures';
import { simpleSubject, WHOLE, WORKS } from './transfer-movies-records';
import { KINDS, RECORDS } from './transfer-records';
import { filesOf, recordsOf, Whole } from './whole';

/** Tables that hold no content: who may do what, what runs, and what is made of the rest. */
const NO_CONTENT = new Set([
  'migrations',
  ...['access_tokens', 'applications', 'application_decisions', 'application_secrets'],
  ...['application_usage', 'authorization_codes', 'grants', 'limits', 'passwords'],
  ...['refresh_tokens', 'secrets', 'sessions', 'idempotency_keys', 'transfer_jobs'],
]);

/** Tables that no kind has as yet. */
const WITHOUT_KIND: string[] = [];

/** Columns that say when a row was loaded here. */
const OF_LOADING: Readonly<Record<string, readonly string[]>> = { pictures: ['touched_at'] };

let first: Whole;
let second: Whole;
beforeAll(async () => {
  first = await Whole.open();
  second = await Whole.open({ TIME_ZONE: 'America/New_York' });
});
afterAll(async () => {
  await first.close();
  await second.close();
});

async function tables(): Promise<string[]> {
  const rows = await first.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !NO_CONTENT.has(name));
}

/** Rows of a table as text, in the order of the text. */
async function rowsOf(whole: Whole, table: string): Promise<string[]> {
  const without = (OF_LOADING[table] ?? []).map((name) => ` - '${name}'`).join('');
  const rows = await whole.opened.database.transaction(async (runner) => {
    await runner.run({ name: 'test.utc', text: `SET LOCAL TimeZone = 'UTC'` });
    return runner.run<{ row: string }>({
      name: `test.rows_${table}`,
      text: `SELECT (to_jsonb(t)${without})::text AS row FROM ${table} t ORDER BY 1`,
    });
  });
  return rows.map(({ row }) => row);
}

/** Gives an annotation a picture, as an upload does. */
async function show(annotation: number, number: number, hidden: boolean): Promise<void> {
  const pictures = new PicturesService(first.storage, first.opened.database);
  const drawn = flat(300 + number, 200, `#${annotation}40${number}0`);
  const picture = await pictures.prepare(await drawn.jpeg().toBuffer());
  await pictures.store([picture]);
  await first.opened.database.transaction(async (runner) => {
    await addPictures(runner, [picture]);
    const use = { number, hash: picture.hash, private: hidden };
    await usePictures(runner, 'annotation', annotation, [use]);
  });
  await first.query(
    `UPDATE annotations SET photos = photos || $2::jsonb, last_photo = greatest(last_photo, $3)
     WHERE id = $1`,
    [annotation, JSON.stringify({ [number]: picture.path }), number],
  );
}

/** What records alone cannot make. */
const MORE = [
  `UPDATE users SET blocked_at = '2024-02-03 04:05:06.789+08' WHERE id = 52`,
  `UPDATE users SET created_at = '2011-01-02 03:04:05+08' WHERE id = 3`,
  `UPDATE books SET created_at = '2012-01-02 03:04:05+08', updated_at = '2013-01-01' WHERE id = 7`,
  `UPDATE annotations SET created_at = '2001-01-01 00:00:00+00' WHERE id = 21`,
  // An hour that comes twice in New York.
  `UPDATE annotations SET updated_at = '2010-11-07 06:30:00+00' WHERE id = 22`,
  `UPDATE subjects SET created_at = '2010-10-10', updated_at = '2011-11-11' WHERE id = 7`,
  `INSERT INTO users (id, uid, name, signature, stub) VALUES (900, 'met', 'Met', 's', true)`,
  `INSERT INTO books (id, title, stub, created_at) VALUES (901, '', true, '2015-05-05')`,
  `INSERT INTO series (id, title) VALUES (77, 'Nothing in it')`,
  `INSERT INTO book_sources (source, key, book_id, made) VALUES ('elsewhere', 'k/1', 8, true)`,
  `INSERT INTO cities (id, uid, name, stub) VALUES (903, '903', 'Met', true)`,
];

it('restores an empty service to the same, byte for byte on the next export', async () => {
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
  for (const sql of MORE) await first.query(sql);
  await show(22, 1, false);
  await show(22, 2, false);
  await show(21, 3, true);

  const folder = await first.export('first');
  await second.import(folder);
  const again = await second.export('second');
  expect(await filesOf(again)).toEqual(await filesOf(folder));
  expect(recordsOf(await readManifest(folder))).toMatchObject({
    ...{ 'user-stub': 1, 'book-stub': 1, 'loc-stub': 1, series: 2, user: 4, book: 4 },
    ...{ collection: 3, annotation: 2, review: 2, loc: 1, 'book-source': 1, picture: 3 },
  });
});

it('is tried with every table of content', async () => {
  const empty: string[] = [];
  for (const table of await tables()) {
    if ((await rowsOf(first, table)).length === 0) empty.push(table);
  }
  expect(empty).toEqual(WITHOUT_KIND);
});

it('restores every table of content, and every column', async () => {
  const different: string[] = [];
  for (const table of await tables()) {
    const [one, other] = [await rowsOf(first, table), await rowsOf(second, table)];
    if (JSON.stringify(one) !== JSON.stringify(other)) different.push(table);
    expect([table, other]).toEqual([table, one]);
  }
  expect(different).toEqual([]);
});

it('restores the files of pictures', async () => {
  const hashes = await first.query<{ name: string }>(
    `SELECT encode(hash, 'hex') || '-' || v || '.' || extension AS name
     FROM pictures, unnest(ARRAY['l', 's']) v ORDER BY 1`,
  );
  expect(hashes).toHaveLength(6);
  for (const { name } of hashes) {
    const file = await readFile(second.storage.placeOf(name));
    expect(file.equals(await readFile(first.storage.placeOf(name)))).toBe(true);
  }
});

it('changes nothing when it comes again', async () => {
  const folder = first.place('first');
  const progress = await second.import(folder);
  for (const { kind, total, skipped, records } of progress) {
    expect([kind, records, skipped]).toEqual([kind, total, total]);
  }
  expect(await filesOf(await second.export('third'))).toEqual(await filesOf(folder));
});
