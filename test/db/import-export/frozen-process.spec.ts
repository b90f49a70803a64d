import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobProcess } from '../../../src/import-export/jobs/job-process';
import { DirectDatabase } from '../../../src/database/direct-database';
import { testSettings } from '../../settings';
import { untilBlocked } from '../../until-blocked';
import { people, ServedJobs } from './served-jobs';

const PEOPLE = 3000;
const TYPESCRIPT = join(__dirname, '../../e2e/process/typescript.js');

let served: ServedJobs;
beforeEach(async () => {
  served = await ServedJobs.open();
});
afterEach(async () => {
  await served.full.close();
});

/** The process id of the running job process. */
async function jobProcessId(): Promise<number> {
  const { pid } = process;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' ')) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
    if (command.includes('job-program')) return Number(child);
  }
  throw new Error('no job process runs');
}

it('a frozen job process is killed, and another one resumes its job', async () => {
  const { full, folder } = served;
  await writeFile(join(folder, 'people.ndjson'), people(PEOPLE));
  const blocker = full.opened.source.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
  const { id } = await full.jobs.start(
    { type: 'import', kind: 'user', path: 'people.ndjson' },
    'admin',
  );
  jest.replaceProperty(process, 'env', { ...process.env, NODE_OPTIONS: `--require ${TYPESCRIPT}` });
  const settings = testSettings({ TRANSFER_DIR: folder, JOB_MEMORY_MB: '2000' });
  const jobs = new JobProcess(settings, new DirectDatabase(full.opened.source));
  jobs.aliveIntervalMs = 500;
  const { signal } = new AbortController();

  const ended = jobs.run(signal);
  expect(await Promise.race([ended, untilBlocked(full.opened.source)])).toBeUndefined();
  process.kill(await jobProcessId(), 'SIGSTOP');
  expect(await ended).toBe('signal SIGKILL, because it no longer responded');

  await blocker.rollbackTransaction();
  await blocker.release();
  expect(await jobs.run(signal)).toBeUndefined();
  expect(await full.jobs.get(id)).toMatchObject({ state: 'done', attempts: 2 });
  expect(await served.users()).toBe(PEOPLE);
});
