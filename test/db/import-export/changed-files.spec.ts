import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type FileProgress, type Watch } from '../../../src/import-export/full/full-import';
import { readManifest } from '../../../src/import-export/full/manifest';
import { FullTransfer } from './full';
import { note } from './notes-records';

// A file with other notes takes the place of the file with the notes during an attempt.
let here: FullTransfer;
let there: FullTransfer;
beforeEach(async () => {
  here = await FullTransfer.open();
  there = await FullTransfer.open();
});
afterEach(() => Promise.all([here.close(), there.close()]));

/** More than a batch, after which progress is saved. */
const COUNT = 1600;
/** Records of the first batch. */
const BATCH = 1500;

/** Exports notes. @returns the folder, and the name of the file with the notes */
async function exportNotes(name: string, first: number): Promise<{ folder: string; file: string }> {
  await there.query('TRUNCATE notes RESTART IDENTITY CASCADE');
  const notes = Array.from({ length: COUNT }, (_, at) => note(first + at));
  await there.transfer.take('note', notes);
  const folder = await there.export(name);
  const { kinds } = await readManifest(folder);
  return { folder, file: kinds.find(({ kind }) => kind === 'note')?.file ?? '' };
}

/** The notes here, by the ids of the two exports. */
const counts = (): Promise<{ right: number; other: number }[]> =>
  here.query(
    `SELECT count(*) FILTER (WHERE id < 20000)::int AS right,
       count(*) FILTER (WHERE id >= 20000)::int AS other FROM notes WHERE NOT placeholder`,
  );

class Attempts {
  private constructor(
    private readonly folder: string,
    private readonly file: string,
    private readonly other: string,
  ) {}

  static async prepare(): Promise<Attempts> {
    const { folder, file } = await exportNotes('right', 10_000);
    const other = await exportNotes('other', 20_000);
    return new Attempts(folder, file, join(other.folder, other.file));
  }

  async run(progress: readonly FileProgress[], watch: Partial<Watch> = {}): Promise<void> {
    const { reasons } = await here.importInPart(this.folder, watch, progress);
    expect(reasons).toEqual([]);
  }

  /**
   * Imports another file after the right one was verified, and restores the right one afterwards.
   * @returns the progress that the attempt has reported
   */
  async runWithOtherFile(
    watch: Partial<Watch> = {},
    makeOther: (right: string) => Promise<Buffer> = () => readFile(this.other),
  ): Promise<readonly FileProgress[]> {
    const path = join(this.folder, this.file);
    let progress: readonly FileProgress[] = [];
    let isReplaced = false;
    const onProgress = async (now: readonly FileProgress[]): Promise<void> => {
      progress = structuredClone(now);
      // The first report follows the verification, and precedes the first record.
      if (isReplaced) return;
      isReplaced = true;
      await rename(path, `${path}.right`);
      await writeFile(path, await makeOther(`${path}.right`));
    };
    await expect(this.run([], { onProgress, ...watch })).rejects.toThrow(
      `${this.file} has changed during the import`,
    );
    await rename(`${path}.right`, path);
    return progress;
  }
}

it('a file that had changed during an earlier attempt is imported from its beginning', async () => {
  const attempts = await Attempts.prepare();
  const progress = await attempts.runWithOtherFile();
  expect(progress.find(({ kind }) => kind === 'note')).toMatchObject({ records: BATCH });
  expect(await counts()).toEqual([{ right: 0, other: BATCH }]);
  await attempts.run(progress);
  expect(await counts()).toEqual([{ right: COUNT, other: BATCH }]);
});

it('a resumed import ignores stored parts of another version of the file', async () => {
  const attempts = await Attempts.prepare();
  const [job] = await here.query<{ id: number }>(
    `INSERT INTO transfer_jobs (type, kind, path, from_cli, created_by, run)
     VALUES ('import', 'all', 'x', false, 'test', 1) RETURNING id::int`,
  );
  const watch = { job: { id: job?.id ?? 0, run: 1 } };
  // The process ended before it saved the progress.
  await attempts.runWithOtherFile(watch);
  await attempts.run([], watch);
  expect(await counts()).toEqual([{ right: COUNT, other: BATCH }]);
});

it('the incomplete last line of a shortened file does not count', async () => {
  const attempts = await Attempts.prepare();
  const progress = await attempts.runWithOtherFile({}, async (right) => {
    const text = gunzipSync(await readFile(right));
    // Within a line of the second batch.
    const end = text.lastIndexOf('\n', text.length - 2);
    return gzipSync(text.subarray(0, end - 20));
  });
  expect(await counts()).toEqual([{ right: BATCH, other: 0 }]);
  await attempts.run(progress);
  expect(await counts()).toEqual([{ right: COUNT, other: 0 }]);
});

it('a file that has not changed continues', async () => {
  const attempts = await Attempts.prepare();
  let progress: readonly FileProgress[] = [];
  const onProgress = (now: readonly FileProgress[]): Promise<void> => {
    progress = structuredClone(now);
    const isStored = now.some(({ kind, records }) => kind === 'note' && records === COUNT);
    return isStored ? Promise.reject(new Error('the process ends')) : Promise.resolve();
  };
  await expect(attempts.run([], { onProgress })).rejects.toThrow('the process ends');
  await here.query('DELETE FROM notes WHERE id = 10000');
  await attempts.run(progress);
  expect(await counts()).toEqual([{ right: COUNT - 1, other: 0 }]);
});
