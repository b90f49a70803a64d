import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportError } from '../../../src/import-export/engine/import-options';
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

const COUNT = 20;

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
    `SELECT count(*) FILTER (WHERE id < 200)::int AS right,
       count(*) FILTER (WHERE id >= 200)::int AS other FROM notes WHERE NOT placeholder`,
  );

class Attempts {
  private constructor(
    private readonly folder: string,
    private readonly file: string,
    private readonly other: string,
  ) {}

  static async prepare(): Promise<Attempts> {
    const { folder, file } = await exportNotes('right', 100);
    const other = await exportNotes('other', 200);
    return new Attempts(folder, file, join(other.folder, other.file));
  }

  async run(progress: readonly FileProgress[], watch: Partial<Watch> = {}): Promise<void> {
    const errors: ImportError[] = [];
    await here.imports.run(this.folder, await readManifest(this.folder), progress, {
      onError: (error) => errors.push(error),
      onProgress: () => Promise.resolve(),
      ...watch,
    });
    expect(errors).toEqual([]);
  }

  /**
   * Imports the other file after the right one was verified, and restores the right one afterwards.
   * @returns the progress that the attempt has reported
   */
  async runWithOtherFile(watch: Partial<Watch> = {}): Promise<readonly FileProgress[]> {
    const path = join(this.folder, this.file);
    let progress: readonly FileProgress[] = [];
    let isReplaced = false;
    const onProgress = async (now: readonly FileProgress[]): Promise<void> => {
      progress = structuredClone(now);
      // The first report follows the verification, and precedes the first record.
      if (isReplaced) return;
      isReplaced = true;
      await rename(path, `${path}.right`);
      await copyFile(this.other, path);
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
  expect(progress.find(({ kind }) => kind === 'note')).toMatchObject({ records: COUNT });
  expect(await counts()).toEqual([{ right: 0, other: COUNT }]);
  await attempts.run(progress);
  expect(await counts()).toEqual([{ right: COUNT, other: COUNT }]);
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
  expect(await counts()).toEqual([{ right: COUNT, other: COUNT }]);
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
  await here.query('DELETE FROM notes WHERE id = 100');
  await attempts.run(progress);
  expect(await counts()).toEqual([{ right: COUNT - 1, other: 0 }]);
});
