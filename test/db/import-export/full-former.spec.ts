import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FORMER_MEMBERS } from '../../../src/import-export/engine/record';
import { RENAMED_KINDS } from '../../../src/import-export/full/full-handlers';
import { readManifest } from '../../../src/import-export/full/manifest';
import { RECORDS, review } from './records';
import { photo, WHOLE, WORKS } from './movies-records';
import { filesOf, FullTransfer, recordsOf } from './full';

let first: FullTransfer;
let second: FullTransfer;

beforeAll(async () => {
  [first, second] = [await FullTransfer.open(), await FullTransfer.open()];
});
afterAll(async () => {
  await first.close();
  await second.close();
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const FORMER_KINDS = new Map([...RENAMED_KINDS].map(([former, current]) => [current, former]));

/** Copies a full export with the names that earlier versions wrote. */
async function toFormerVersion(folder: string, target: string): Promise<void> {
  await mkdir(target);
  const manifest = await readManifest(folder);
  const kinds = [];
  for (const entry of manifest.kinds) {
    const kind = FORMER_KINDS.get(entry.kind) ?? entry.kind;
    const file = entry.file.replace(entry.kind, kind);
    const text = gunzipSync(await readFile(join(folder, entry.file))).toString();
    const lines = Buffer.from(
      text.replaceAll(/"(\w+)":/g, (whole, name: string) => {
        const former = FORMER_MEMBERS.get(name);
        return former === undefined ? whole : `"${former}":`;
      }),
    );
    const gz = gzipSync(lines);
    await writeFile(join(target, file), gz);
    kinds.push({
      ...{ kind, file, records: entry.records, bytes: lines.length, sha256: sha256(lines) },
      ...{ gz_bytes: gz.length, gz_sha256: sha256(gz) },
    });
  }
  const { format, service } = manifest;
  await writeFile(join(target, 'manifest.json'), JSON.stringify({ format, service, kinds }));
}

it('a full export of an earlier version restores the same content', async () => {
  await first.transfer.take('user', RECORDS.user);
  await first.transfer.take('book', RECORDS.book);
  await first.transfer.take('review', [{ ...review(31, 3, 7, {}), hidden: true }]);
  await first.transfer.take('movie', [WHOLE]);
  await first.transfer.take('photo', [photo(4, { subject_id: '7', sort_order: 3 })]);
  await first.transfer.take('credit', [WORKS]);
  await first.query(`INSERT INTO books (id, title, placeholder) VALUES (901, '', true)`);
  await first.query(`INSERT INTO book_sources (source, key, book_id, created_book)
    VALUES ('elsewhere', 'k/1', 8, true)`);
  await first.query(`UPDATE subjects SET deleted_at = '2024-01-02'`);
  const folder = await first.export('first');
  expect(recordsOf(await readManifest(folder))).toMatchObject({
    'book-placeholder': 1,
    'moderation-entry': 1,
  });
  const former = first.place('former');
  await toFormerVersion(folder, former);
  expect(recordsOf(await readManifest(former))).toMatchObject({ 'held-text': 1, 'book-stub': 1 });
  await second.import(former);
  expect(await filesOf(await second.export('second'))).toEqual(await filesOf(folder));
});
