import { readdir, readFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { Settings } from '../../../src/config/settings';
import { fileName, pathOf, type Variant } from '../../../src/images/picture-names';
import { addPictures, usePictures } from '../../../src/images/pictures.repository';
import { PicturesService } from '../../../src/images/pictures.service';
import { MANIFEST } from '../../../src/import-export/full/manifest';
import {
  PictureHandler,
  type PictureRecord,
} from '../../../src/import-export/full/picture.handler';
import { flat } from '../../factories/pictures';
import { prepareOne } from '../../factories/prepared-pictures';
import { FullTransfer } from './full';
import { note } from './notes-records';

import { type Imported } from './transfer';

/** More than an export has in memory. */
const PICTURES = 10;

const LOST_TWO = 'files of 2 exported pictures are missing in the storage or have another size';

let full: FullTransfer;
let records: readonly PictureRecord[];
let first: PictureRecord;
let second: PictureRecord;
beforeAll(async () => {
  // Full imports and exports use UTC.
  full = await FullTransfer.open({ TIME_ZONE: 'UTC' });
  await full.transfer.take('user', [{ id: 3, uid: 'a', name: 'A' }]);
  const pictures = new PicturesService(full.storage, full.opened.database, new Settings());
  for (let id = 1; id <= PICTURES; id += 1) {
    const drawn = await flat(30 + id, 20, '#104000')
      .png()
      .toBuffer();
    const picture = await prepareOne(pictures, drawn);
    await pictures.store([picture]);
    await full.transfer.take('note', [note(id, { photos: { 1: picture.path } })]);
    await full.opened.database.transaction(async (executor) => {
      await addPictures(executor, [picture]);
      const use = { number: 1, hash: picture.hash, private: false };
      await usePictures(executor, 'note', id, [use]);
    });
  }
  records = await exported('complete');
  [first, second] = records as [PictureRecord, PictureRecord];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rename(full.place('elsewhere'), full.place('pictures')).catch(() => undefined);
  await importPictures(records);
});
afterAll(() => full.close());

const unmount = (): Promise<void> => rename(full.place('pictures'), full.place('elsewhere'));

/** The picture records of an export. */
async function exported(name: string): Promise<PictureRecord[]> {
  const place = await full.export(name);
  const file = (await readdir(place)).find((one) => one.includes('-picture.')) ?? '';
  const text = gunzipSync(await readFile(join(place, file))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PictureRecord);
}

const importPictures = (records: readonly unknown[]): Promise<Imported> =>
  full.transfer.import(new PictureHandler(full.storage), records);

const place = ({ hash, extension }: PictureRecord, variant: Variant): string =>
  full.storage.placeOf(fileName(hash, variant, extension));

describe('a full export', () => {
  it('fails when the folder of pictures is not mounted', async () => {
    await unmount();
    const requested = { type: 'export', kind: 'all', path: full.place('out') } as const;
    await expect(full.jobs.runHere(requested, { by: 'ann' })).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/PICTURES_DIR has no pictures/) as string },
    });
    const [job] = await full.query('SELECT state, error FROM transfer_jobs');
    expect(job).toEqual({
      state: 'failed',
      error: expect.stringMatching(/PICTURES_DIR has no pictures/) as string,
    });
    expect(await readdir(full.place('out'))).not.toContain(MANIFEST);
  });

  it('fails when the folder of pictures is unmounted before its last pictures', async () => {
    const { storage } = full;
    const get = storage.get.bind(storage);
    let read = 0;
    jest.spyOn(storage, 'get').mockImplementation(async (...args) => {
      read += 1;
      // Two files for each picture.
      if (read === 2 * PICTURES - 1) await unmount();
      return get(...args);
    });
    await expect(full.export('partial')).rejects.toMatchObject({ status: 503 });
  });

  it('has no bytes of a lost file, and logs the number of such pictures', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await exported('intact');
    expect(warn).not.toHaveBeenCalled();
    const last = records[PICTURES - 1] as PictureRecord;
    for (const lost of [first, last])
      for (const variant of ['l', 's'] as const) await rm(place(lost, variant));
    const damaged = await exported('damaged');
    const withoutBytes = damaged.filter(({ large, small }) => large === '' && small === '');
    expect(withoutBytes.map(({ hash }) => hash)).toEqual([first.hash, last.hash]);
    expect(warn.mock.calls).toEqual([[LOST_TWO]]);
  });

  it('has several records of a picture with very many uses, which restore all of them', async () => {
    const path = pathOf(fileName(first.hash, 'l', first.extension));
    const id = first.uses[0]?.subject_id;
    await full.query(
      `INSERT INTO notes
       SELECT (jsonb_populate_record(n, jsonb_build_object('id', 1000 + g, 'photos',
         (SELECT jsonb_object_agg(number, $2::text) FROM generate_series(1, 300) number)))).*
       FROM notes n, generate_series(1, 150) g WHERE n.id = $1`,
      [id, path],
    );
    await full.query(
      `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
       SELECT 'note', id, number, decode($1, 'hex'), false
       FROM notes, generate_series(1, 300) number WHERE id > 1000`,
      [first.hash],
    );
    const several = await exported('several');
    const ofFirst = several.filter(({ hash }) => hash === first.hash);
    expect(ofFirst.map((record) => [record.uses.length, record.large === ''])).toEqual([
      [20_000, false],
      [20_000, true],
      [5001, true],
    ]);
    expect(several.slice(ofFirst.length)).toEqual(records.slice(1));
    await full.query('DELETE FROM picture_uses WHERE subject_id > 1000');
    expect((await importPictures(several)).faults).toEqual([]);
    const stored = await full.query('SELECT count(*)::int AS n FROM picture_uses');
    expect(stored).toEqual([{ n: 45_000 + PICTURES }]);
    await full.query('DELETE FROM picture_uses WHERE subject_id > 1000');
    await full.query('DELETE FROM notes WHERE id > 1000');
  });

  it('has no bytes of a picture with a truncated or missing file, and logs their number', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    for (const [record, variant] of [
      [first, 'l'],
      [second, 's'],
    ] as const) {
      await truncate(place(record, variant), 100);
      const damaged = await exported(`truncated-${variant}`);
      expect(damaged).toContainEqual({ ...record, large: '', small: '' });
      expect((await importPictures(damaged)).faults).toEqual([]);
    }
    await rm(place(second, 's'));
    expect(await exported('without-small')).toContainEqual({ ...second, large: '', small: '' });
    expect(warn.mock.calls.at(-1)).toEqual([LOST_TWO]);
  });
});

describe('an import of pictures', () => {
  it('without bytes changes no stored picture, and reads none', async () => {
    const get = jest.spyOn(full.storage, 'get');
    const bare = records.map((record) => ({ ...record, large: '', small: '' }));
    expect((await importPictures(bare)).summary).toMatchObject({ skipped: PICTURES, updated: 0 });
    expect(get).not.toHaveBeenCalled();
    expect(await exported('unchanged')).toEqual(records);
  });

  it('without bytes only: new pictures can be stored, although the folder has none', async () => {
    const other = await FullTransfer.open({ TIME_ZONE: 'UTC' });
    try {
      await other.transfer.take('user', [{ id: 3, uid: 'a', name: 'A' }]);
      await other.transfer.take(
        'note',
        records.map(({ hash, extension, uses }) =>
          note(uses[0]?.subject_id ?? 0, { photos: { 1: pathOf(fileName(hash, 'l', extension)) } }),
        ),
      );
      const lost = records.map((record) => ({ ...record, large: '', small: '' }));
      const handler = new PictureHandler(other.storage);
      expect((await other.transfer.import(handler, lost)).summary).toMatchObject({ failed: 0 });
      // The records reference pictures now, and the storage counts as mounted.
      expect((await other.transfer.import(handler, records)).summary).toMatchObject({ failed: 0 });
      const stored = await other.storage.findSize(fileName(first.hash, 'l', first.extension));
      expect(stored).toBeGreaterThan(0);
    } finally {
      await other.close();
    }
  });

  it('without bytes updates what else differs', async () => {
    const created = '2001-02-03T04:05:06+00:00';
    const changed = { ...first, created, large: '', small: '' };
    expect((await importPictures([changed])).summary).toMatchObject({ updated: 1, failed: 0 });
    expect(await exported('changed')).toContainEqual({ ...first, created });
  });

  it('replaces a file of another size without reading it', async () => {
    // Node rejects strings with more than 2^29 UTF-16 units, so reading the file as text would fail.
    await truncate(place(first, 'l'), 700_000_000);
    await truncate(place(second, 's'), 700_000_000);
    expect(await importPictures(records)).toMatchObject({
      summary: { updated: 2, skipped: PICTURES - 2 },
      faults: [],
    });
    expect(await exported('replaced')).toEqual(records);
  });

  it('restores a lost file, and one with other bytes of the same size', async () => {
    await rm(place(first, 's'));
    await truncate(place(second, 's'), 1);
    // The bytes after the first are zeros.
    await truncate(place(second, 's'), Buffer.byteLength(second.small, 'base64'));
    expect((await importPictures(records)).summary).toMatchObject({ updated: 2, failed: 0 });
    expect(await exported('restored')).toEqual(records);
  });
});
