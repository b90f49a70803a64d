import { join } from 'node:path';
import { PicturesService } from '../../../src/images/pictures.service';
import { addPictures, usePictures } from '../../../src/images/pictures.repository';
import { S3Storage } from '../../../src/images/s3-storage';
import { type Job, type JobType } from '../../../src/import-export/jobs/job';
import { JOB_TIMES } from '../../../src/import-export/jobs/job-times';
import { startS3, type Outage, type S3Server } from '../../e2e/pictures/s3-server';
import { flat } from '../../factories/pictures';
import { prepareOne } from '../../factories/prepared-pictures';
import { testSettings } from '../../settings';
import { note } from './notes-records';
import { ServedJobs } from './served-jobs';

/** Milliseconds in which S3 must respond. */
const RESPONSE_MS = 1000;

let s3: S3Server;
let served: ServedJobs;
/** Number of jobs; each export has a folder of its own. */
let jobs = 0;
beforeAll(async () => {
  s3 = await startS3();
  served = await ServedJobs.open({ TIME_ZONE: 'UTC' });
  const { full } = served;
  const { database } = full.opened;
  const settings = testSettings(s3.settings);
  const bucket = new S3Storage(settings, RESPONSE_MS);
  for (const name of ['get', 'put', 'mayBeUnmounted'] as const)
    jest.spyOn(full.storage, name).mockImplementation(bucket[name].bind(bucket) as never);
  full.jobs.times = { ...JOB_TIMES, heartbeatMs: 10, retryDelaysMs: [200, 200] };
  await full.transfer.take('user', [{ id: 3, uid: 'a', name: 'A' }]);
  const pictures = new PicturesService(bucket, database, settings);
  const picture = await prepareOne(pictures, await flat(30, 20, '#104000').png().toBuffer());
  await pictures.store([picture]);
  await full.transfer.take('note', [note(1, { photos: { 1: picture.path } })]);
  await database.transaction(async (executor) => {
    await addPictures(executor, [picture]);
    await usePictures(executor, 'note', 1, [{ number: 1, hash: picture.hash, private: false }]);
  });
  await full.exports.write(join(served.folder, 'in'));
});
afterEach(() => {
  s3.outage = undefined;
});
afterAll(async () => {
  jest.restoreAllMocks();
  await served.full.close();
  await s3.close();
});

/** Starts a full import or export. @returns the job, and the job after its end */
async function begin(type: JobType): Promise<{ id: number; ended: Promise<Job> }> {
  jobs += 1;
  const path = type === 'import' ? 'in' : `out${jobs}`;
  const job = await served.full.jobs.start({ type, kind: 'all', path }, 'admin');
  return { id: job.id, ended: served.done(job) };
}

/** Waits until a job waits for its second attempt. */
async function untilRetried(id: number): Promise<Job> {
  for (;;) {
    const job = (await served.full.jobs.get(id)) as Job;
    if (job.state !== 'running' && job.attempts > 0) return job;
  }
}

const OUTAGES: readonly [Outage, RegExp][] = [
  ['error', /^S3 responded 503 to GET: .*SlowDown/],
  ['reset', /^the connection to S3 failed: .*fetch failed/],
  ['silence', /^no response from S3 within 1000 ms$/],
  ['broken object', /^the connection to S3 failed: .*terminated/],
];

describe.each(['import', 'export'] as const)('a full %s', (type) => {
  it.each(OUTAGES)('is retried after an outage of S3: %s', async (outage, error) => {
    s3.outage = outage;
    const { id, ended } = await begin(type);
    const waiting = await untilRetried(id);
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(waiting.error).toMatch(error);
    s3.outage = undefined;
    expect(await ended).toMatchObject({ state: 'done', attempts: 2, error: '', error_count: 0 });
  });

  it('fails after three attempts when S3 stays unavailable', async () => {
    s3.outage = 'error';
    const { ended } = await begin(type);
    const job = await ended;
    expect(job).toMatchObject({ state: 'failed', attempts: 3 });
    expect(job.error).toMatch(/^S3 responded 503/);
  });
});
