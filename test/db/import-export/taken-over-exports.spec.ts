import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExportPiece } from '../../../src/import-export/engine/export-pieces';
import { ExportService } from '../../../src/import-export/engine/export.service';
import { type OnExported } from '../../../src/import-export/full/full-export';
import { readManifest } from '../../../src/import-export/full/manifest';
import { MAX_ATTEMPTS, type Job } from '../../../src/import-export/jobs/job';
import { filesOf, FullTransfer } from './full';

let full: FullTransfer;
let folder: string;
beforeEach(async () => {
  full = await FullTransfer.open();
  folder = full.place('transfer');
  await mkdir(folder);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await full.close();
});

/** A point where a process is frozen. */
class Freeze {
  readonly reached: Promise<void>;
  private arrive: () => void = () => undefined;
  private wake: () => void = () => undefined;
  private readonly awake = new Promise<void>((resolve) => (this.wake = resolve));

  constructor() {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
  }

  wait(): Promise<void> {
    this.arrive();
    return this.awake;
  }

  end(): void {
    this.wake();
  }
}

const run = (): Promise<boolean> => full.jobs.runAndResumeJobs(new AbortController().signal);
const start = (path: string): Promise<Job> =>
  full.jobs.start({ type: 'export', kind: 'user', path }, 'admin');

/** The jobs lock of this database, and the process of PostgreSQL that has it. */
const JOBS_LOCK = `pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE locktype = 'advisory' AND objid = ${0x6a6f6273} AND datname = current_database()`;

/** PostgreSQL ends the session of the process that runs jobs, as it does when a host is frozen. */
async function endSession(): Promise<void> {
  await full.query(`SELECT pg_terminate_backend(l.pid) FROM ${JOBS_LOCK}`);
  while ((await full.query(`SELECT FROM ${JOBS_LOCK}`)).length > 0);
}

describe('an export of one kind that another process takes over', () => {
  it('contains what that process wrote, although the first one wakes up before its end', async () => {
    const [first, second] = [new Freeze(), new Freeze()];
    const attempts = [
      async function* (): AsyncGenerator<ExportPiece> {
        yield { text: 'first of the first attempt\n', records: 1 };
        await first.wait();
      },
      async function* (): AsyncGenerator<ExportPiece> {
        yield { text: 'first\n', records: 1 };
        await second.wait();
        yield { text: 'second\n', records: 1 };
      },
    ];
    jest
      .spyOn(ExportService.prototype, 'exportPieces')
      .mockImplementation(() => (attempts.shift() as (typeof attempts)[0])());
    const job = await start('users.ndjson');
    const frozen = run();
    await first.reached;
    await endSession();
    const successor = run();
    await second.reached;
    first.end();
    await expect(frozen).rejects.toThrow();
    second.end();
    expect(await successor).toBe(true);
    expect(await full.jobs.get(job.id)).toMatchObject({ state: 'done', error: '' });
    expect(await readFile(join(folder, 'users.ndjson'), 'utf8')).toBe('first\nsecond\n');
    expect(await readdir(folder)).toEqual(['users.ndjson']);
  });

  it('deletes the files of attempts whose processes were killed, and no others', async () => {
    const others = ['other.ndjson.part', 'users.ndjson.old.part', 'users.ndjson2'];
    const left = ['users.ndjson.part', 'users.ndjson.0123456789abcdef.part'];
    for (const name of [...others, ...left]) await writeFile(join(folder, name), 'half');
    await start('users.ndjson');
    await run();
    expect(await readdir(folder)).toEqual([...others, 'users.ndjson'].sort());
  });

  it('deletes its unfinished files when it is given up', async () => {
    const job = await start('users.ndjson');
    await writeFile(join(folder, 'users.ndjson.0123456789abcdef.part'), 'half');
    await full.query(`UPDATE transfer_jobs SET state = 'running', attempts = ${MAX_ATTEMPTS}`);
    await run();
    expect(await full.jobs.get(job.id)).toMatchObject({ state: 'failed' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a full export that another process takes over', () => {
  /** Freezes an attempt once, when its record was written. Later reports are those of `after`. */
  const freezeAtRecord = (freeze: Freeze, after: () => void): OnExported => {
    let isPassed = false;
    return async (progress) => {
      if (isPassed) return after();
      isPassed = progress.some(({ records }) => records === 1);
      if (isPassed) await freeze.wait();
    };
  };
  const goOn = (): void => undefined;

  beforeEach(() => full.transfer.take('user', [{ id: 1, uid: 'a', name: 'A' }]));

  it('contains what that process wrote, although the first one wakes up before its end', async () => {
    const expected = await filesOf(await full.export('expected'));
    const place = full.place('out');
    const [first, second] = [new Freeze(), new Freeze()];
    const lost = (): void => {
      throw new Error('another process has the job');
    };
    const frozen = full.exports.write(place, freezeAtRecord(first, lost));
    void frozen.catch(() => undefined);
    await first.reached;
    const successor = full.exports.write(place, freezeAtRecord(second, goOn));
    await second.reached;
    first.end();
    await expect(frozen).rejects.toThrow('another process has the job');
    second.end();
    await successor;
    expect(await filesOf(place)).toEqual(expected);
  });

  /** The process of the only job has ended before it stored the end of the job. */
  const interrupt = (startedAt: string): Promise<unknown> =>
    full.query(`UPDATE transfer_jobs SET state = 'running', finished_at = NULL,
      started_at = ${startedAt}`);

  it('is written again when the process ended between the manifest and the end of the job', async () => {
    const job = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
    await run();
    const expected = await filesOf(join(folder, 'out'));
    await interrupt('started_at');
    await run();
    expect(await full.jobs.get(job.id)).toMatchObject({ state: 'done', attempts: 2, error: '' });
    expect(await filesOf(join(folder, 'out'))).toEqual(expected);
  });

  it('does not replace an export from before its first attempt', async () => {
    const job = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
    await full.exports.write(join(folder, 'out'));
    const earlier = await filesOf(join(folder, 'out'));
    await interrupt("now() + interval '1 hour'");
    await run();
    const { state, error } = (await full.jobs.get(job.id)) as Job;
    expect([state, error]).toEqual([
      'failed',
      expect.stringMatching(/already contains an export$/),
    ]);
    expect(await filesOf(join(folder, 'out'))).toEqual(earlier);
  });

  it('fails when a file of it is deleted before its end', async () => {
    const place = full.place('out');
    const frozen = new Freeze();
    const exporting = full.exports.write(place, freezeAtRecord(frozen, goOn));
    void exporting.catch(() => undefined);
    await frozen.reached;
    const [written = ''] = (await readdir(place)).filter((name) => name.endsWith('.gz'));
    await rm(join(place, written));
    frozen.end();
    await expect(exporting).rejects.toThrow(`${written} was changed or deleted`);
    await expect(readManifest(place)).rejects.toThrow('is not a full export');
  });
});
