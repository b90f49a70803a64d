import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { atScale, figure } from '../figures';
import { eventually } from '../faults/processes';
import { Target } from './target';

const MEGABYTE = 1024 * 1024;
/** MB that the process of a job may take: the default of JOB_MEMORY_MB. */
const MAX_MEMORY = 400;
/** Milliseconds that a job is waited for. */
const PATIENCE = atScale(300_000, 60_000);

let folder: string;
let target: Target;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-jobs-'));
  target = await Target.start({ TRANSFER_DIR: folder });
  const { id } = await target.make.aUser();
  await query(`UPDATE users SET role = 'administrator' WHERE id = ${id}`);
  token = await target.token({ userId: id, scopes: ['admin'] });
});

afterAll(async () => {
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

const query = <Row>(sql: string): Promise<Row[]> => target.opened.source.query(sql);

interface Job {
  readonly id: string;
  readonly state: string;
  readonly error: string;
  readonly progress: readonly Record<string, unknown>[];
  readonly error_count: number;
}

async function start(type: string, kind: string, path: string): Promise<string> {
  const { status, body } = await target.call('/admin/v1/jobs', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type, kind, path }),
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (body as Job).id;
}

/** Processes that the server has started. */
async function children(): Promise<number[]> {
  const { pid } = target;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** The most memory in MB that a process has taken so far; 0 when it is gone. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024) / MEGABYTE;
}

/** Waits for a job's end. @returns the job, and the most memory that its process took */
async function ended(id: string): Promise<Job & { readonly peak: number }> {
  let peak = 0;
  for (const deadline = Date.now() + PATIENCE; ;) {
    for (const pid of await children()) peak = Math.max(peak, await peakOf(pid));
    const { body } = await target.call(`/admin/v1/jobs/${id}`, { token });
    const job = body as Job;
    if (!['waiting', 'running'].includes(job.state)) return { ...job, peak };
    if (Date.now() > deadline) throw new Error(`job ${id} is still ${job.state}`);
    await pause(50);
  }
}

async function write(name: string, pieces: Iterable<string | Buffer>): Promise<void> {
  const packed = name.endsWith('.gz') ? [createGzip({ level: 1 })] : [];
  await pipeline([Readable.from(pieces), ...packed, createWriteStream(join(folder, name))]);
}

/** Repeats a piece up to a size in MB. */
function* repeated(piece: string, megabytes: number): Generator<Buffer> {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  for (let left = megabytes * MEGABYTE; left > 0; left -= chunk.length) yield chunk;
}

const person = (id: number, more = ''): string => `{"id":${id},"uid":"u${id}","name":"n"${more}}\n`;

const SIZE = atScale(1200, 40);

describe('a compressed file of a few MB', () => {
  it.each<[string, () => Generator<string | Buffer>]>([
    [
      'one line',
      function* () {
        yield person(1001);
        yield '{"id":1002,"uid":"u","name":"';
        yield* repeated('a', SIZE);
        yield `"}\n${person(1003)}`;
      },
    ],
    [
      'brackets in one line',
      function* () {
        yield person(1001);
        yield* repeated('{"a":[', SIZE);
        yield `\n${person(1003)}`;
      },
    ],
    [
      'a line first that nothing ends',
      function* () {
        yield* repeated('["a', SIZE);
        yield `\n${person(1001)}${person(1003)}`;
      },
    ],
  ])(
    'that decompresses to %s leaves the server running with bounded memory',
    async (form, pieces) => {
      await query('DELETE FROM users WHERE id BETWEEN 1001 AND 1999');
      const name = `${form.replaceAll(' ', '-')}.gz`;
      await write(name, pieces());
      const job = await target.attack(`a file of ${form}`, async () =>
        ended(await start('import', 'user', name)),
      );
      expect(job).toMatchObject({ state: 'done', error: '', error_count: 1 });
      const ids = await query(
        'SELECT id::int FROM users WHERE id BETWEEN 1001 AND 1999 ORDER BY id',
      );
      expect(ids).toEqual([{ id: 1001 }, { id: 1003 }]);
      const report = await target.call(`/admin/v1/jobs/${job.id}/report`, { token });
      const reason = form.endsWith('ends') ? expect.any(String) : 'longer than 16 MB';
      expect(report.body).toMatchObject({ errors: [{ reason }] });
      figure(`a file of ${form}: MB of the job's process`, job.peak, { atMost: MAX_MEMORY });
    },
  );
});

it('with rejected records alone shows its progress, and can be cancelled', async () => {
  await write('rejected.gz', repeated('{}\n', atScale(3000, 300)));
  const id = await start('import', 'book', 'rejected.gz');
  const read = async (): Promise<Job> =>
    (await target.call(`/admin/v1/jobs/${id}`, { token })).body as Job;
  const job = await target.attack('a file of rejected records', async () => {
    await eventually('progress', async () => (await read()).progress.length > 0);
    const cancelled = await target.call(`/admin/v1/jobs/${id}/cancel`, { method: 'POST', token });
    expect(cancelled.status).toBe(200);
    return ended(id);
  });
  expect(job).toMatchObject({ state: 'cancelled' });
});

it('with records that need much more memory when parsed stays within the bound', async () => {
  await write(
    'values.gz',
    (function* (): Generator<string> {
      for (let id = 2000; id < 2000 + atScale(300, 10); id += 1) {
        yield person(id, `,"a":[${'{},'.repeat(300_000)}0]`);
      }
    })(),
  );
  const job = await target.attack('many values', async () =>
    ended(await start('import', 'user', 'values.gz')),
  );
  expect(job).toMatchObject({ state: 'done', error_count: 0 });
  figure("many values: MB of the job's process", job.peak, { atMost: MAX_MEMORY });
});

it('with many long texts is imported and exported', async () => {
  const count = atScale(3000, 30);
  await write(
    'books.gz',
    (function* (): Generator<string> {
      for (let id = 1; id <= count; id += 1) {
        yield `${JSON.stringify({ id, title: `t${id}`, summary: '三'.repeat(100_000) })}\n`;
      }
    })(),
  );
  for (const [type, kind, path] of [
    ['import', 'book', 'books.gz'],
    ['export', 'book', 'out.ndjson.gz'],
    ['export', 'all', 'everything'],
    ['import', 'all', 'everything'],
  ] as const) {
    const name = `${type} of ${kind}, 300 KB a record`;
    const job = await target.attack(name, async () => ended(await start(type, kind, path)));
    expect(job).toMatchObject({ state: 'done', error_count: 0 });
    figure(`${name}: MB of the job's process`, job.peak, { atMost: MAX_MEMORY });
  }
});

describe('a job whose process ends', () => {
  it('is resumed twice, then fails with the reason', async () => {
    await write('people', [person(3001)]);
    const blocker = new Client({ connectionString: target.opened.url });
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE users IN EXCLUSIVE MODE');
      const id = await start('import', 'user', 'people');
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        for (const deadline = Date.now() + PATIENCE; ; await pause(20)) {
          const sql = `SELECT attempts FROM transfer_jobs WHERE id = ${id} AND state = 'running'`;
          const [job] = await query<{ attempts: number }>(sql);
          if (job?.attempts === attempt) break;
          if (Date.now() > deadline) throw new Error(`attempt ${attempt} was never begun`);
        }
        const [pid] = await children();
        process.kill(Number(pid), 'SIGKILL');
      }
      expect(await ended(id)).toMatchObject({
        state: 'failed',
        error:
          'the job failed after 3 attempts, because its process or the database failed each time, ' +
          'the last time with signal SIGKILL',
      });
    } finally {
      await blocker.end();
    }
    const id = await start('import', 'user', 'people');
    expect(await ended(id)).toMatchObject({ state: 'done' });
  });
});
