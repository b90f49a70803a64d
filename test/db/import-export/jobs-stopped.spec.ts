import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Job } from '../../../src/import-export/jobs/job';
import { until } from '../../e2e/process/programs';
import { FullTransfer } from './full';
import { toLines } from './transfer';

let full: FullTransfer;
let folder: string;
beforeEach(async () => {
  full = await FullTransfer.open();
  folder = full.place('transfer');
  await mkdir(folder);
});
afterEach(() => full.close());

const people = (count: number): string =>
  toLines(Array.from({ length: count }, (_, at) => ({ id: at + 1, uid: `u${at}`, name: 'n' })));

/** Lets the server's part do all that waits. @returns the job after that */
async function done({ id }: Job): Promise<Job> {
  expect(await full.jobs.runAndResumeJobs(new AbortController().signal)).toBe(true);
  return (await full.jobs.get(id)) as Job;
}

const users = async (): Promise<number> =>
  (await full.query<{ n: number }>('SELECT count(*)::int AS n FROM users'))[0]?.n ?? 0;

describe('a job that was stopped', () => {
  /** Runs jobs until the first batch of `kind` is stored, as a server does that is stopped then. */
  async function runFirstBatch(job: Job, kind: string): Promise<void> {
    const leaving = new AbortController();
    const running = full.jobs.runAndResumeJobs(leaving.signal);
    await until(async () => {
      const { progress, state } = (await full.jobs.get(job.id)) as Job;
      expect(state).not.toBe('done');
      return progress.some((one) => one.kind === kind && Number(one.records) > 0);
    });
    leaving.abort();
    await running;
    expect(await full.jobs.get(job.id)).toMatchObject({ state: 'waiting' });
  }

  it('continues an import of all content where it stopped', async () => {
    await full.transfer.take(
      'user',
      JSON.parse(`[${people(20_000).trim().replaceAll('\n', ',')}]`),
    );
    await done(await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin'));
    await full.transfer.clear();
    const job = await full.jobs.start({ type: 'import', kind: 'all', path: 'out' }, 'admin');
    await runFirstBatch(job, 'user');
    // An attempt from the beginning would replace it.
    await full.query(`UPDATE users SET name = 'changed' WHERE id = 1`);
    expect(await done(job)).toMatchObject({ state: 'done', error_count: 0 });
    expect(await users()).toBe(20_000);
    expect(await full.query('SELECT name FROM users WHERE id = 1')).toEqual([{ name: 'changed' }]);
  });

  it('starts an import of a file over, and reports each rejected record once', async () => {
    await writeFile(join(folder, 'people.ndjson'), `{"id":0}\n${people(20_000)}`);
    const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
    const job = await full.jobs.start(wish, 'admin');
    await runFirstBatch(job, 'user');
    const { errors, ...ended } = await done(job);
    expect(ended).toMatchObject({ state: 'done', error_count: 1 });
    expect(errors).toMatchObject([{ line: 1 }]);
  });
});
