import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Job } from '../../../src/import-export/jobs/job';
import { until } from '../../e2e/process/programs';
import { type FullTransfer } from './full';
import { note } from './notes-records';
import { people, ServedJobs } from './served-jobs';
import { toLines } from './transfer';

let served: ServedJobs;
let full: FullTransfer;
let folder: string;
beforeEach(async () => {
  served = await ServedJobs.open();
  ({ full, folder } = served);
});
afterEach(() => full.close());

const done = (job: Job): Promise<Job> => served.done(job);
const users = (): Promise<number> => served.users();

/** Whether this process has a file open. */
async function isOpen(path: string): Promise<boolean> {
  const descriptors = await readdir('/proc/self/fd');
  const files = descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => ''));
  return (await Promise.all(files)).includes(path);
}

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

  /** A job that imports a file of notes, stopped after the first batch. */
  async function stoppedNoteImport(): Promise<Job> {
    await full.transfer.take(
      'user',
      [1, 2].map((id) => ({ id, uid: `u${id}`, name: 'n' })),
    );
    const notes = Array.from({ length: 20_000 }, (_, at) => note(at + 1, { author_id: '1' }));
    await writeFile(join(folder, 'notes.ndjson'), toLines(notes));
    const request = { type: 'import', kind: 'note', path: 'notes.ndjson' } as const;
    const job = await full.jobs.start(request, 'admin');
    await runFirstBatch(job, 'note');
    return job;
  }

  /** Creates a note of another user, with an id of the file. @returns the id */
  async function writeNote(): Promise<number> {
    const [{ id = 0 } = {}] = await full.query<{ id?: number }>(
      `INSERT INTO notes (user_id, privacy, content) VALUES (2, 'private', 'own') RETURNING id::int`,
    );
    expect(id).toBeLessThan(20_000);
    return id;
  }

  const contentOf = (...ids: number[]): Promise<unknown[]> =>
    full.query('SELECT content FROM notes WHERE id = ANY($1) ORDER BY id', [ids]);

  it('does not replace notes that users wrote or changed between its attempts', async () => {
    const job = await stoppedNoteImport();
    const written = await writeNote();
    await full.query(`UPDATE notes SET content = 'changed', updated_at = now() WHERE id = 1`);
    const { errors, ...ended } = await done(job);
    expect(ended).toMatchObject({ state: 'done', error_count: 1 });
    expect(errors).toMatchObject([
      { reason: `the id ${written} belongs to a record that was created during the import` },
    ]);
    expect(await contentOf(1, written)).toEqual([{ content: 'changed' }, { content: 'own' }]);
  });

  it('nor when its file has changed between them', async () => {
    const job = await stoppedNoteImport();
    const written = await writeNote();
    const newer = { author_id: '1', content: 'new', update_time: '2020-01-01 10:00:00' };
    await writeFile(join(folder, 'notes.ndjson'), toLines([note(1, newer), note(written, newer)]));
    const { errors, ...ended } = await done(job);
    expect(ended).toMatchObject({ state: 'done', progress: [{ updated: 1, failed: 1 }] });
    expect(errors).toMatchObject([
      { reason: `the id ${written} belongs to a record that was created during the import` },
    ]);
    expect(await contentOf(1, written)).toEqual([{ content: 'new' }, { content: 'own' }]);
  });

  it('nor by a record with a time since its first attempt', async () => {
    const job = await stoppedNoteImport();
    const [{ id: written = 0, time } = {}] = await full.query<{ id?: number; time?: string }>(
      `INSERT INTO notes (user_id, privacy, content, updated_at)
       VALUES (1, 'private', 'own', now() - interval '20 minutes')
       RETURNING id::int, to_char(now() - interval '10 minutes', 'YYYY-MM-DD HH24:MI:SS') AS time`,
    );
    await full.query(`UPDATE transfer_jobs SET started_at = now() - interval '1 hour'`);
    const record = note(written, { author_id: '1', content: 'new', update_time: time });
    await writeFile(join(folder, 'notes.ndjson'), toLines([record]));
    expect(await done(job)).toMatchObject({ state: 'done', error_count: 1 });
    expect(await contentOf(written)).toEqual([{ content: 'own' }]);
  });

  const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;

  it('continues an import of a file where it stopped, and reports each record once', async () => {
    await full.transfer.take('user', [{ id: 2, uid: 'u1', name: 'before' }]);
    await writeFile(join(folder, 'people.ndjson'), `{"id":0}\n${people(20_000)}{"id":0}\n`);
    const job = await full.jobs.start(wish, 'admin');
    await runFirstBatch(job, 'user');
    await full.query('DELETE FROM users WHERE id = 1');
    await full.query(`UPDATE users SET name = 'changed' WHERE id = 2`);
    const { errors, ...ended } = await done(job);
    expect(ended).toMatchObject({
      ...{ state: 'done', error_count: 2 },
      progress: [{ records: 20_002, imported: 19_999, updated: 1, skipped: 0, failed: 2 }],
    });
    expect(errors).toMatchObject([{ line: 1 }, { line: 20_002 }]);
    expect(await users()).toBe(19_999);
    expect(await full.query('SELECT name FROM users WHERE id = 2')).toEqual([{ name: 'changed' }]);
    expect(await full.query('SELECT 1 FROM transfer_job_parts')).toEqual([]);
  });

  it('stores later versions of its own texts, and no parts remain when it is cancelled', async () => {
    await full.transfer.take('user', [{ id: 1, uid: 'u1', name: 'n' }]);
    const version = (id: number, update_time: string): object =>
      note(id, { author_id: '1', content: update_time, update_time });
    const [first, second] = ['2013-01-01 10:00:00', '2013-01-01 11:00:00'];
    const notes = Array.from({ length: 20_000 }, (_, at) => version(at + 1, first));
    notes.push(version(1, second), version(2, second));
    await writeFile(join(folder, 'notes.ndjson'), toLines(notes));
    const noteImport = { type: 'import', kind: 'note', path: 'notes.ndjson' } as const;
    const job = await full.jobs.start(noteImport, 'admin');
    await runFirstBatch(job, 'note');
    expect(await done(job)).toMatchObject({ state: 'done', error_count: 0 });
    expect(await full.query('SELECT content FROM notes WHERE id IN (1, 2, 3) ORDER BY id')).toEqual(
      [{ content: second }, { content: second }, { content: first }],
    );
    const cancelled = await full.jobs.start(noteImport, 'admin');
    await runFirstBatch(cancelled, 'note');
    await full.jobs.cancel(cancelled.id);
    expect(await full.query('SELECT 1 FROM transfer_job_parts')).toEqual([]);
  });

  it('closes a file that it has not read yet', async () => {
    const path = join(folder, 'people.ndjson');
    await writeFile(path, people(3));
    const leaving = new AbortController();
    const reason = new Error('stopped');
    const work = full.work.run(await full.jobs.start(wish, 'admin'), path, {
      signal: leaving.signal,
      onError: () => undefined,
      onProgress: async () => {
        await until(() => isOpen(path));
        leaving.abort(reason);
        await until(async () => !(await isOpen(path)));
      },
    });
    await expect(work).rejects.toBe(reason);
    expect(await users()).toBe(0);
  });

  it('starts over when the file has changed', async () => {
    await writeFile(join(folder, 'people.ndjson'), people(20_000));
    const job = await full.jobs.start(wish, 'admin');
    await runFirstBatch(job, 'user');
    await writeFile(join(folder, 'people.ndjson'), people(3));
    expect(await done(job)).toMatchObject({
      state: 'done',
      progress: [{ records: 3, imported: 0, skipped: 3 }],
    });
  });

  /** Runs a job whose progress cannot be stored, as if its process died after some transactions. */
  async function runWithoutProgress(job: Job): Promise<void> {
    await full.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'refused'; END $$`);
    await full.query(`CREATE TRIGGER refuse BEFORE UPDATE OF progress ON transfer_jobs FOR EACH ROW
      WHEN (NEW.progress @? '$[*].records ? (@ > 0)') EXECUTE FUNCTION refuse()`);
    expect(await done(job)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching('refused'),
    });
    await full.query('DROP TRIGGER refuse ON transfer_jobs');
    expect(await users()).toBeGreaterThan(0);
    await full.query(`UPDATE transfer_jobs SET state = 'running' WHERE id = ${job.id}`);
  }

  it('does not store records again that were stored after its last progress', async () => {
    await writeFile(join(folder, 'people.ndjson'), people(5000));
    const job = await full.jobs.start(wish, 'admin');
    await runWithoutProgress(job);
    await full.query('DELETE FROM users WHERE id IN (1, 2, 1500)');
    expect(await done(job)).toMatchObject({
      state: 'done',
      progress: [{ records: 5000, imported: 5000 }],
    });
    expect(await users()).toBe(4997);
  });

  it('does not store records of a full import again after its last progress', async () => {
    await full.transfer.take('user', JSON.parse(`[${people(5000).trim().replaceAll('\n', ',')}]`));
    await done(await full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin'));
    await full.transfer.clear();
    const job = await full.jobs.start({ type: 'import', kind: 'all', path: 'out' }, 'admin');
    await runWithoutProgress(job);
    await full.query('DELETE FROM users WHERE id IN (1, 2)');
    expect(await done(job)).toMatchObject({ state: 'done', error_count: 0 });
    expect(await users()).toBe(4998);
  });
});

it('an import that fails before it reads its file closes the file', async () => {
  const path = join(folder, 'people.ndjson');
  await writeFile(path, people(1));
  const job = await full.jobs.start({ type: 'import', kind: 'user', path: 'people.ndjson' }, 'ann');
  const importing = full.work.run(job, path, {
    ...{ signal: new AbortController().signal, onError: () => undefined },
    onProgress: async () => {
      await until(() => isOpen(path));
      throw new Error('no progress');
    },
  });
  await expect(importing).rejects.toThrow('no progress');
  await until(async () => !(await isOpen(path)));
});
