import { mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { JOB_TIMES } from '../../../src/import-export/jobs/job-times';
import { ServedJobs } from './served-jobs';

let served: ServedJobs;
beforeEach(async () => {
  served = await ServedJobs.open();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await served.full.close();
});

const UNFINISHED = /\.part$/;

/** Moves the folder `out` out of TRANSFER_DIR, and leaves a link to it. @returns its new path */
async function moveOut(): Promise<string> {
  const outside = served.full.place('outside');
  const path = join(served.folder, 'out');
  await rename(path, outside);
  await symlink(outside, path);
  return outside;
}

it('a full export ends when a link replaces its folder', async () => {
  const { full } = served;
  await full.transfer.take('user', [{ id: 1, uid: 'a', name: 'A' }]);
  const write = full.exports.write.bind(full.exports);
  let outside: string | undefined;
  let finished: string[] = [];
  jest.spyOn(full.exports, 'write').mockImplementation((folder, onExported) =>
    write(folder, async (progress) => {
      if (outside === undefined && progress.some(({ records }) => records > 0)) {
        outside = await moveOut();
        finished = (await readdir(outside)).filter((name) => !UNFINISHED.test(name));
      }
      await onExported?.(progress);
    }),
  );
  const job = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
  expect(await served.done(job)).toMatchObject({
    ...{ state: 'failed', error: 'the path is outside of TRANSFER_DIR' },
  });
  expect(await readdir(outside ?? '')).toEqual(finished);
});

it.each([
  ['TRANSFER_DIR', () => served.folder],
  ['its folder', () => join(served.folder, 'out')],
])('a full export is retried when %s is missing for a while', async (_, pathOf) => {
  const { full } = served;
  full.jobs.times = { ...JOB_TIMES, retryDelaysMs: [10, 10] };
  await full.transfer.take('user', [{ id: 1, uid: 'a', name: 'A' }]);
  const write = full.exports.write.bind(full.exports);
  const [path, elsewhere] = [pathOf(), full.place('elsewhere')];
  jest.spyOn(full.exports, 'write').mockImplementationOnce((folder, onExported) => {
    let isMoved = false;
    const writing = write(folder, async (progress) => {
      if (!isMoved && progress.some(({ records }) => records > 0)) {
        await rename(path, elsewhere);
        isMoved = true;
      }
      await onExported?.(progress);
    });
    return writing.finally(() => rename(elsewhere, path));
  });
  const job = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
  expect(await served.done(job)).toMatchObject({ state: 'done', attempts: 2, error: '' });
  const names = await readdir(join(served.folder, 'out'));
  expect(names).toContain('manifest.json');
  expect(names.filter((name) => UNFINISHED.test(name))).toEqual([]);
});

it('a full export writes to no link that leads out of TRANSFER_DIR', async () => {
  const { full } = served;
  await mkdir(join(served.folder, 'out'));
  const outside = await moveOut();
  const job = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
  expect(await served.done(job)).toMatchObject({
    ...{ state: 'failed', error: 'the path is outside of TRANSFER_DIR' },
  });
  expect(await readdir(outside)).toEqual([]);
});
