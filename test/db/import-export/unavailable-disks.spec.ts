import { promises as files } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskOperations } from '../../../src/api/body/disk-operations';
import { Settings } from '../../../src/config/settings';
import { DiskStorage } from '../../../src/images/disk-storage';
import { fileName } from '../../../src/images/picture-names';
import { addPictures, usePictures } from '../../../src/images/pictures.repository';
import { PicturesService, type PreparedPicture } from '../../../src/images/pictures.service';
import { JOB_TIMES } from '../../../src/import-export/jobs/job-times';
import { type Job, type JobType } from '../../../src/import-export/jobs/job';
import { flat } from '../../factories/pictures';
import { prepareOne } from '../../factories/prepared-pictures';
import { HangingFile } from '../../faults/hanging-file';
import { note } from './notes-records';
import { ServedJobs } from './served-jobs';

/** Limits in milliseconds that an operation on a disk that hangs reaches soon. */
const SHORT = { share: 1 / 2, wait: 100, result: 100 };

/** An operation on the file of a path. */
type Operation = (path: string, ...more: unknown[]) => Promise<unknown>;

let served: ServedJobs;
let picture: PreparedPicture;
beforeEach(async () => {
  served = await ServedJobs.open({ TIME_ZONE: 'UTC' });
  const { full } = served;
  full.jobs.times = { ...JOB_TIMES, heartbeatMs: 10, retryDelaysMs: [500, 500] };
  await full.transfer.take('user', [{ id: 3, uid: 'a', name: 'A' }]);
  const { database } = full.opened;
  const pictures = new PicturesService(full.storage, database, new Settings());
  picture = await prepareOne(pictures, await flat(30, 20, '#104000').png().toBuffer());
  await pictures.store([picture]);
  await full.transfer.take('note', [note(1, { photos: { 1: picture.path } })]);
  await database.transaction(async (executor) => {
    await addPictures(executor, [picture]);
    await usePictures(executor, 'note', 1, [{ number: 1, hash: picture.hash, private: false }]);
  });
  await full.exports.write(join(served.folder, 'in'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await served.full.close();
});

const PATHS: Readonly<Record<JobType, string>> = { import: 'in', export: 'out' };

/** Runs a full import or export, until it waits for its second attempt, and then to its end. */
async function retried(type: JobType, repair: () => Promise<unknown>): Promise<[Job, Job]> {
  const { full } = served;
  const { id } = await full.jobs.start({ type, kind: 'all', path: PATHS[type] }, 'admin');
  const running = served.done({ id } as Job);
  for (;;) {
    const job = (await full.jobs.get(id)) as Job;
    if (job.state === 'running' || (job.state === 'waiting' && job.attempts === 0)) continue;
    await repair();
    return [job, await running];
  }
}

it.each(['import', 'export'] as const)(
  'a full %s is retried when PICTURES_DIR does not respond for a while',
  async (type) => {
    const { full } = served;
    const { storage } = full;
    const large = storage.placeOf(fileName(picture.hash, 'l', picture.extension));
    const hanging = new HangingFile(large);
    const hangs = new DiskStorage(full.place('pictures'), new DiskOperations(SHORT));
    jest.spyOn(storage, 'get').mockImplementationOnce((...args) => hangs.get(...args));
    const [waiting, done] = await retried(type, () => {
      hanging.end();
      return Promise.resolve();
    });
    expect(waiting).toMatchObject({
      ...{ state: 'waiting', attempts: 1 },
      error: 'PICTURES_DIR does not respond: no result from the disk within 100 ms',
    });
    expect(done).toMatchObject({ state: 'done', attempts: 2, error: '', error_count: 0 });
  },
);

it.each(['import', 'export'] as const)(
  'a full %s is retried when PICTURES_DIR is not mounted for a while',
  async (type) => {
    const { full } = served;
    const [mounted, elsewhere] = [full.place('pictures'), full.place('elsewhere')];
    await rename(mounted, elsewhere);
    const [waiting, done] = await retried(type, () => rename(elsewhere, mounted));
    expect(waiting).toMatchObject({
      ...{ state: 'waiting', attempts: 1 },
      error: expect.stringMatching(/PICTURES_DIR has no pictures/) as string,
    });
    expect(done).toMatchObject({ state: 'done', attempts: 2, error: '', error_count: 0 });
  },
);

it.each([
  ['TRANSFER_DIR', () => served.folder],
  ['its folder', () => join(served.folder, 'in')],
  ['its manifest', () => join(served.folder, 'in', 'manifest.json')],
])('a full import is retried when the mount of %s has lost its server', async (_, pathOf) => {
  const path = pathOf();
  const failure = Object.assign(new Error(`ENOTCONN: socket is not connected, open '${path}'`), {
    ...{ code: 'ENOTCONN', syscall: 'open', path },
  });
  const operations: Record<'stat' | 'realpath' | 'readFile', Operation> = files as never;
  for (const operation of ['stat', 'realpath', 'readFile'] as const) {
    const work = operations[operation];
    jest
      .spyOn(operations, operation)
      .mockImplementation((at, ...more) =>
        at === path ? Promise.reject(failure) : work(at, ...more),
      );
  }
  const [waiting, done] = await retried('import', () => {
    jest.restoreAllMocks();
    return Promise.resolve();
  });
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, error: failure.message });
  expect(done).toMatchObject({ state: 'done', attempts: 2, error: '', error_count: 0 });
});

it('an import whose disk fails to read its file fails after three attempts', async () => {
  // Reading /proc/self/mem at offset 0 fails with EIO.
  const broken = await ServedJobs.open({ TRANSFER_DIR: '/proc/self' });
  try {
    const { jobs } = broken.full;
    jobs.times = { ...JOB_TIMES, retryDelaysMs: [10, 10] };
    const job = await jobs.start({ type: 'import', kind: 'user', path: 'mem' }, 'admin');
    expect(await broken.done(job)).toMatchObject({
      ...{ state: 'failed', attempts: 3 },
      error: 'PICTURES_DIR or the disk of the import is unavailable: EIO: i/o error, read',
    });
  } finally {
    await broken.full.close();
  }
});
