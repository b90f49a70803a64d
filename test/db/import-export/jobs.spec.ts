import { truncateSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { importInput, openInput } from '../../../src/cli/support/importing';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { type Job } from '../../../src/import-export/jobs/job';
import { JobConnection } from '../../../src/import-export/jobs/job-connection';
import { readManifest } from '../../../src/import-export/full/manifest';
import { withRowLocked } from '../../e2e/oauth/lock-row';
import { filesOf, type FullTransfer } from './full';
import { people, ServedJobs } from './served-jobs';

let served: ServedJobs;
let full: FullTransfer;
let folder: string;
beforeEach(async () => {
  served = await ServedJobs.open();
  ({ full, folder } = served);
});
afterEach(() => full.close());

const done = (job: Job, signal?: AbortSignal): Promise<Job> => served.done(job, signal);
const users = (): Promise<number> => served.users();

describe('a job', () => {
  it('imports a file of TRANSFER_DIR and stores a report', async () => {
    await writeFile(join(folder, 'people.ndjson'), `${people(3)}{"id":4}\n`);
    const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
    const job = await full.jobs.start(wish, 'admin');
    expect(job).toMatchObject({ state: 'waiting', created_by: 'admin', started_at: null });
    expect(await done(job)).toMatchObject({
      state: 'done',
      progress: [{ kind: 'user', records: 4, imported: 3, failed: 1 }],
      error_count: 1,
      errors: [{ line: 4, reason: 'name is missing' }],
      error: '',
    });
    expect(await users()).toBe(3);
  });

  it('exports all content, which another job imports', async () => {
    await full.transfer.take('user', JSON.parse(`[${people(2).trim().replace('\n', ',')}]`));
    const out = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
    expect(await done(out)).toMatchObject({ state: 'done' });
    await full.transfer.clear();
    const back = await full.jobs.start({ type: 'import', kind: 'all', path: 'out' }, 'admin');
    expect(await done(back)).toMatchObject({ state: 'done', error_count: 0 });
    expect(await users()).toBe(2);
  });

  it('exports one type to a file, compressed when the name ends in .gz', async () => {
    await full.transfer.take('user', [{ id: 1, uid: 'a', name: 'A' }]);
    const wish = { type: 'export', kind: 'user', path: 'users.ndjson.gz' } as const;
    expect(await done(await full.jobs.start(wish, 'admin'))).toMatchObject({ state: 'done' });
    const packed = await readFile(join(folder, 'users.ndjson.gz'));
    expect(gunzipSync(packed).toString()).toBe(await full.transfer.export('user'));
  });

  it('exports to no file that exists, and leaves it as it is', async () => {
    const file = join(folder, 'mine.ndjson');
    await writeFile(file, 'mine');
    const wish = { type: 'export', kind: 'user', path: 'mine.ndjson' } as const;
    const { state, error } = await done(await full.jobs.start(wish, 'admin'));
    expect([state, error]).toEqual(['failed', expect.stringMatching(/already exists/)]);
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await readdir(folder)).toEqual(['mine.ndjson']);
  });

  it('replaces the file that its earlier attempt completed', async () => {
    await full.transfer.take('user', [{ id: 1, uid: 'a', name: 'A' }]);
    const wish = { type: 'export', kind: 'user', path: 'users.ndjson' } as const;
    const job = await done(await full.jobs.start(wish, 'admin'));
    // As if its process had ended before it stored the end of the job.
    await full.query(`UPDATE transfer_jobs SET state = 'running', finished_at = NULL`);
    await full.transfer.take('user', [{ id: 2, uid: 'b', name: 'B' }]);
    expect(await done(job)).toMatchObject({ state: 'done' });
    const text = await readFile(join(folder, 'users.ndjson'), 'utf8');
    expect(text).toBe(await full.transfer.export('user'));
  });

  it('is resumed by another process when its process ends', async () => {
    await writeFile(join(folder, 'people.ndjson'), people(5000));
    const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
    const job = await full.jobs.start(wish, 'admin');
    const leaving = new AbortController();
    const first = full.jobs.runAndResumeJobs(leaving.signal);
    leaving.abort();
    await first;
    expect(await full.jobs.get(job.id)).toMatchObject({ state: 'waiting', finished_at: null });
    expect(await done(job)).toMatchObject({ state: 'done', error_count: 0 });
    expect(await users()).toBe(5000);
  });

  it('of a killed command waits for the command, or has failed', async () => {
    const state = async (type: string, seconds: number): Promise<unknown> => {
      const [row] = await full.query<{ id: number }>(
        `INSERT INTO transfer_jobs (type, kind, path, from_cli, state, created_by, started_at, heartbeat_at)
         VALUES ('${type}', 'all', '/x', true, 'running', 'ann', now(), now() - interval '${seconds} s')
         RETURNING id::int AS id`,
      );
      await full.jobs.runAndResumeJobs(new AbortController().signal);
      return (await full.jobs.get(row?.id ?? 0))?.state;
    };
    expect(await state('import', 120)).toBe('waiting');
    expect([await state('export', 120), await state('import', 5)]).toEqual(['failed', 'running']);
  });

  it('is not started when it is cancelled while it waits', async () => {
    await writeFile(join(folder, 'people.ndjson'), people(3));
    const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
    const job = await full.jobs.start(wish, 'admin');
    expect(await full.jobs.cancel(job.id)).toMatchObject({ state: 'cancelled' });
    expect(await done(job)).toMatchObject({ state: 'cancelled' });
    expect(await users()).toBe(0);
    expect(await full.jobs.cancel(12345)).toBeUndefined();
  });

  it('is not started when it is cancelled at the moment of its start', async () => {
    await writeFile(join(folder, 'people.ndjson'), people(3));
    const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
    const job = await full.jobs.start(wish, 'admin');
    const cancel = `UPDATE transfer_jobs SET state = 'cancelled', cancel_requested = true,
      finished_at = now() WHERE id = $1`;
    const ended = await withRowLocked(full.opened.url, cancel, [job.id], () => done(job), 1);
    expect(ended).toMatchObject({ state: 'cancelled' });
    expect(await users()).toBe(0);
  });

  it('ends after its current batch when it is cancelled while it runs', async () => {
    await writeFile(join(folder, 'people.ndjson'), people(12_000));
    const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
    const job = await full.jobs.start(wish, 'admin');
    await full.query(`CREATE FUNCTION ask() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN UPDATE transfer_jobs SET cancel_requested = true; RETURN NULL; END $$`);
    await full.query(`CREATE TRIGGER ask AFTER INSERT ON users
      FOR EACH STATEMENT EXECUTE FUNCTION ask()`);
    expect(await done(job)).toMatchObject({ state: 'cancelled' });
    expect(await users()).toBeLessThan(12_000);
  });

  it('is never run by two processes at once', async () => {
    const job = await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');
    const other = await JobConnection.acquireJobsLock(full.opened.database);
    expect(await full.jobs.runAndResumeJobs(new AbortController().signal)).toBe(false);
    const wish = { type: 'export', kind: 'all', path: full.place('by-hand') } as const;
    await expect(full.jobs.runHere(wish, { by: 'x' })).rejects.toThrow('another import or export');
    expect(await full.jobs.acquireStartLock()).toBeUndefined();
    await other?.release({ notify: true });
    const start = await full.jobs.acquireStartLock();
    expect(start).toBeDefined();
    expect(await full.jobs.acquireStartLock()).toBeUndefined();
    expect(await done(job)).toMatchObject({ state: 'done' });
    await start?.release({ notify: true });
    expect(await full.jobs.acquireStartLock()).toBeUndefined();
  });

  it.each(['../people', '/etc/passwd', '.hidden', 'a/b', '', '..'])(
    'rejects a path outside of TRANSFER_DIR: %j',
    async (path) => {
      const wish = { type: 'import', kind: 'user', path } as const;
      await expect(full.jobs.start(wish, 'admin')).rejects.toThrow('a path must consist of');
    },
  );

  it('does not follow symbolic links out of TRANSFER_DIR', async () => {
    await writeFile(full.place('people.ndjson'), people(3));
    await symlink(full.place('people.ndjson'), join(folder, 'link'));
    const job = await full.jobs.start({ type: 'import', kind: 'user', path: 'link' }, 'admin');
    expect(await done(job)).toMatchObject({
      state: 'failed',
      error: 'the path is outside of TRANSFER_DIR',
    });
    expect(await users()).toBe(0);
  });

  it.each([
    ['at the end of a line', people(2).length],
    ['inside a line', people(2).length + 5],
    ['completely', 0],
  ])('fails when its file is cut during the import, %s', async (_where, length) => {
    const path = full.place('people.ndjson');
    await writeFile(path, people(3));
    const size = people(3).length;
    const wish = { type: 'import', kind: 'user', path } as const;
    // The first report precedes the first read.
    const onProgress = (): void => {
      truncateSync(path, length);
    };
    await expect(full.jobs.runHere(wish, { by: 'test' }, { onProgress })).rejects.toThrow(
      `became shorter during the import: it ended after ${length} of ${size} bytes`,
    );
    expect((await full.jobs.get(1))?.state).toBe('failed');
  });

  it('a command fails when its file becomes shorter', async () => {
    const path = full.place('people.ndjson');
    await writeFile(path, people(3));
    const input = await openInput(path);
    truncateSync(path, people(2).length);
    const imports = new ImportService(full.opened.database, new RecordHandlers());
    await expect(importInput(imports, 'user', input, {})).rejects.toThrow('became shorter');
    await writeFile(path, gzipSync(people(3)));
    const complete = await importInput(imports, 'user', await openInput(path), {});
    expect(complete).toMatchObject({ imported: 1, failed: 0 });
  });

  it('imports a compressed file, whose size is that of its compressed bytes', async () => {
    const path = full.place('people.ndjson.gz');
    await writeFile(path, gzipSync(people(3)));
    const wish = { type: 'import', kind: 'user', path } as const;
    expect(await full.jobs.runHere(wish, { by: 'test' })).toMatchObject({ state: 'done' });
    await appendFile(path, Buffer.alloc(1_000_000));
    expect(await full.jobs.runHere(wish, { by: 'test' })).toMatchObject({ state: 'done' });
  });

  it('reports an unknown type or a missing file', async () => {
    const unknown = { type: 'import', kind: 'song', path: 'x' } as const;
    await expect(full.jobs.start(unknown, 'admin')).rejects.toThrow('unknown record type: song');
    const job = await full.jobs.start({ type: 'import', kind: 'user', path: 'none' }, 'admin');
    const after = await done(job);
    expect([after.state, after.error]).toEqual([
      'failed',
      "there is no file 'none' in TRANSFER_DIR",
    ]);
  });
});

describe('a full import', () => {
  const cliImport = (path: string, restart = false) =>
    full.jobs.runHere({ type: 'import', kind: 'all', path }, { by: 'test', restart });

  const some = async (): Promise<string> => {
    await full.transfer.take('user', [{ id: 1, uid: 'a', name: 'A' }]);
    const place = await full.export('some');
    await full.transfer.clear();
    return place;
  };

  it('rejects a damaged file before it stores anything', async () => {
    const place = await some();
    const { kinds } = await readManifest(place);
    const last = join(place, kinds[kinds.length - 1]?.file ?? '');
    await writeFile(last, gzipSync('{}\n'));
    await expect(cliImport(place)).rejects.toThrow(/picture\.ndjson\.gz is damaged: its SHA-256/);
    await writeFile(last, 'not packed');
    await expect(cliImport(place)).rejects.toThrow(/is damaged: .*incorrect header/);
    expect(await users()).toBe(0);
    const states = 'SELECT state FROM transfer_jobs';
    expect(await full.query(states)).toEqual([{ state: 'failed' }]);
  });

  it.each([
    ['shorter', ''],
    ['replaced', '{"id":"2","uid":"b","name":"B"}\n'],
  ])('fails when a file is %s after it was verified', async (_, content) => {
    const path = await some();
    const { kinds } = await readManifest(path);
    const file = kinds.find(({ kind }) => kind === 'user')?.file ?? '';
    let reports = 0;
    const onProgress = (): void => {
      reports += 1;
      // The first report follows the verification, and precedes the first record.
      if (reports === 1) writeFileSync(join(path, file), gzipSync(content));
    };
    const request = { type: 'import', kind: 'all', path } as const;
    await expect(full.jobs.runHere(request, { by: 'test' }, { onProgress })).rejects.toThrow(
      `${file} has changed during the import`,
    );
    const [job] = await full.query<{ state: string; progress: { file: string; done: boolean }[] }>(
      'SELECT state, progress FROM transfer_jobs',
    );
    expect(job?.state).toBe('failed');
    expect(job?.progress.find((one) => one.file === file)?.done).toBe(false);
  });

  it('rejects a manifest with an unknown record type or another format', async () => {
    const place = await some();
    const path = join(place, 'manifest.json');
    const text = await readFile(path, 'utf8');
    const entry = /\{[^{}]*"user"[^{}]*\}/;
    for (const [manifest, reason] of [
      [text.replace('"user"', '"song"'), 'an unsupported kind: song'],
      [text.replace('"format": 1', '"format": 2'), 'format 2 is not supported'],
      [text.replace(/\d\d-user\./, '../$&'), 'is not a valid file name'],
      [text.replace(entry, Array(101).fill('$&').join()), 'kinds must have at most 100 entries'],
      ['{', 'not valid JSON'],
    ] as const) {
      await writeFile(path, manifest);
      await expect(cliImport(place)).rejects.toThrow(reason);
    }
    expect(await users()).toBe(0);
  });

  it('resumes the same job after a failure; after success or with restart it creates a new job', async () => {
    const place = await some();
    const { kinds } = await readManifest(place);
    const last = join(place, kinds[kinds.length - 1]?.file ?? '');
    await copyFile(last, full.place('kept'));
    await appendFile(last, 'x');
    await expect(cliImport(place)).rejects.toThrow(/damaged/);
    await copyFile(full.place('kept'), last);
    expect(await cliImport(place)).toMatchObject({ id: 1, state: 'done', error: '' });
    expect(await cliImport(place)).toMatchObject({ id: 2, state: 'done' });
    expect(await cliImport(place, true)).toMatchObject({ id: 3, state: 'done' });
    expect(await users()).toBe(1);
  });
});

describe('a full export', () => {
  it('rejects a folder that contains other files', async () => {
    const place = await full.export('out');
    await expect(full.exports.write(place)).rejects.toThrow(/already contains an export/);
    await writeFile(join(folder, 'letter.txt'), 'x');
    await expect(full.exports.write(folder)).rejects.toThrow(
      /is not empty: it contains letter\.txt/,
    );
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('x');
  });

  it('replaces the files of an unfinished export', async () => {
    const place = full.place('out');
    await mkdir(place);
    await writeFile(join(place, '01-user-placeholder.ndjson.gz'), 'half');
    await writeFile(join(place, '02-old.ndjson.gz.part'), 'half');
    await full.exports.write(place);
    expect(Object.keys(await filesOf(place))).toEqual([
      ...(await readManifest(place)).kinds.map(({ file }) => file),
      'manifest.json',
    ]);
  });
});
