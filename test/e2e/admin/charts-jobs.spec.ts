import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHarness, type Harness } from '../../harness';
import { anAdministrator, changesOf, type Administrator } from './administrators';

const parent = mkdtempSync(join(tmpdir(), 'admin-jobs-'));
const folder = join(parent, 'transfer');
let harness: Harness;
let admin: Administrator;
beforeAll(async () => {
  harness = await startHarness({ settings: { TRANSFER_DIR: folder } });
  admin = await anAdministrator(harness);
  for (const id of [1, 2, 3]) await admin.post('/subjects', { id, title: `Film ${id}` });
  await admin.post('/locs', { id: 108288, uid: 'beijing', name: '北京' });
});
afterAll(async () => {
  await harness.close();
  rmSync(parent, { recursive: true });
});

const film = (rank: number, subject_id: number): object => ({ rank, subject_id });

describe('charts', () => {
  const top = async () =>
    (await harness.call('/v2/movie/top250')).body.subjects.map(({ id }: { id: string }) => id);

  it('202, 204: the snapshot of a day is replaced, shown and deleted', async () => {
    const date = '2024-01-02';
    const first = await admin.put('/charts/top250', { date: '2024-01-01', entries: [film(1, 1)] });
    expect([first.status, first.body.entries]).toEqual([202, [{ rank: 1, subject_id: '1' }]]);
    await admin.put('/charts/top250', { date, entries: [film(1, 2)] });
    expect(await top()).toEqual(['2']);
    await admin.put('/charts/top250', { date, entries: [film(1, 3), film(2, 2)] });
    expect(await top()).toEqual(['3', '2']);
    const { charts } = (await admin.get('/charts?name=top250')).body;
    expect(charts.map(({ date: day, entries }: never) => [day, entries])).toEqual([
      [date, 2],
      ['2024-01-01', 1],
    ]);
    const { id } = charts[0];
    expect((await admin.get(`/charts/${id}`)).body.entries).toHaveLength(2);
    expect((await admin.remove(`/charts/${id}`)).status).toBe(204);
    expect(await top()).toEqual(['1']);
    expect((await changesOf(admin, 'chart', `top250/${date}`)).map((one) => one.action)).toEqual([
      'chart.remove',
      'chart.write',
      'chart.write',
    ]);
  });

  it('400: rejects unknown charts, invalid days and unknown subjects', async () => {
    const date = '2024-01-03';
    const entries = [film(1, 1)];
    for (const [name, body, code] of [
      ['nonsense', { date, entries }, 999],
      ['top250', { date }, 1002],
      ['top250', { date, entries: null }, 1002],
      ['top250', { date, entries: 'x' }, 999],
      ['top250', { date, entries: [null] }, 999],
      ['top250', { date, entries: [film(0, 1)] }, 999],
      ['top250', { date, entries: [film(-1, 1)] }, 999],
      ['top250', { date, entries: [film(1, 1), film(2, 1)] }, 999],
      ['top250', { entries }, 1002],
      ['top250', { date: '2024-02-30', entries }, 999],
      ['top250', { date, entries: [film(1, 1), film(1, 2)] }, 999],
      ['top250', { date, entries: [film(1, 4711)] }, 1006],
      ['in_theaters', { date, entries }, 1002],
      ['in_theaters', { date, entries, city: 'nowhere' }, 1006],
    ] as const) {
      const response = await admin.put(`/charts/${name}`, body);
      expect([name, response.status, response.body.code]).toEqual([name, 400, code]);
    }
    expect((await harness.source.query('SELECT 1 FROM subjects WHERE id = 4711')).length).toBe(0);
    const detail = (await admin.put('/charts/top250', { date })).headers.get('x-error-detail');
    expect(detail).toBe('entries is missing');
    const compute = { date, city: 'nowhere' };
    expect((await admin.post('/charts/in_theaters/compute', compute)).body.code).toBe(1006);
  });

  it.each(['top250', 'weekly'])('400: rejects objects in entries of %s', async (name) => {
    const odd = { toString: 1, valueOf: 1, toJSON: 1 };
    for (const value of [odd, [odd], [[odd]]]) {
      for (const member of ['rank', 'subject_id', 'subject', 'delta']) {
        const entries = [{ rank: 1, subject_id: 1, [member]: value }];
        const { status } = await admin.put(`/charts/${name}`, {
          date: '2024-01-03',
          entries,
        });
        expect([member, status]).toEqual([member, 400]);
      }
    }
  });

  it('202: a weekly chart gets the changes of rank since the previous one, unless they are sent', async () => {
    const write = async (date: string, entries: object[]) =>
      (await admin.put('/charts/weekly', { date, entries })).body.entries;
    const first = await write('2024-02-01', [film(1, 1), film(2, 2)]);
    expect(first).toEqual([
      { rank: 1, subject_id: '1', delta: 2 },
      { rank: 2, subject_id: '2', delta: 1 },
    ]);
    await write('2024-03-01', [film(1, 1)]);
    const moved = [film(1, 2), film(2, 3), { ...film(3, 1), delta: 7 }];
    expect(await write('2024-02-08', moved)).toEqual([
      { rank: 1, subject_id: '2', delta: 1 },
      { rank: 2, subject_id: '3', delta: 2 },
      { rank: 3, subject_id: '1', delta: 7 },
    ]);
  });

  it('showings are created, and the chart of theatres is computed from them', async () => {
    const made = await admin.post('/showings', { subject_id: 2, city: '北京', from: '2024-01-01' });
    expect([made.status, made.body.until, made.body.title]).toEqual([201, '', 'Film 2']);
    const computed = await admin.post('/charts/in_theaters/compute', { date: '2024-01-05' });
    expect([computed.status, computed.body]).toEqual([
      200,
      { name: 'in_theaters', date: '2024-01-05', snapshots: 1, entries: 1 },
    ]);
    expect((await changesOf(admin, 'chart', 'in_theaters/2024-01-05'))[0]?.action).toBe(
      'chart.compute',
    );
    const again = await admin.post('/showings', {
      ...{ subject_id: 2, city: 'beijing', from: '2024-01-01', until: '2024-01-09' },
    });
    expect([again.body.id, again.body.until]).toEqual([made.body.id, '2024-01-09']);
    expect((await admin.get('/showings?city=108288&subject_id=2')).body.total).toBe(1);
    expect((await admin.remove(`/showings/${made.body.id}`)).status).toBe(204);
    expect((await admin.remove(`/showings/${made.body.id}`)).body.code).toBe(1001);
    for (const [body, code] of [
      [{ subject_id: 4711, city: '北京', from: '2024-01-01' }, 1006],
      [{ subject_id: 2, city: 'nowhere', from: '2024-01-01' }, 1006],
      [{ subject_id: 2, city: '北京', from: '2024-01-02', until: '2024-01-01' }, 999],
    ] as const) {
      expect((await admin.post('/showings', body)).body.code).toBe(code);
    }
    expect((await admin.post('/charts/us_box/compute', { date: '2024-01-05' })).status).toBe(400);
  });
});

describe('jobs', () => {
  const ended = async (id: string) => {
    for (let tries = 0; tries < 3000; tries += 1) {
      const { body } = await admin.get(`/jobs/${id}`);
      if (!['waiting', 'running'].includes(body.state)) return body;
    }
    throw new Error('the job does not end');
  };

  it('201: an export creates its folder, and the response does not contain its path', async () => {
    const out = { type: 'export', kind: 'book', path: 'x.ndjson' };
    const { id } = (await admin.post('/jobs', out)).body;
    const done = await ended(id);
    expect(done).toMatchObject({ ...out, state: 'done', error: '' });
    expect(existsSync(join(folder, 'x.ndjson'))).toBe(true);
    await admin.post('/books', { id: 76, title: 'Written' });
    const again = await ended((await admin.post('/jobs', { ...out, path: 'y.ndjson' })).body.id);
    expect(again).toMatchObject({
      percent: 100,
      progress: [{ kind: 'book', file: 'y.ndjson', records: 1, total: 1 }],
    });
    const missing = { type: 'import', kind: 'book', path: 'none.ndjson' };
    const refused = await admin.post('/jobs', missing);
    expect([refused.status, refused.headers.get('x-error-detail')]).toEqual([
      400,
      "there is no file 'none.ndjson' in TRANSFER_DIR",
    ]);
    const place = `${parent}/by-hand/all`;
    const fault = [{ file: `${place}/01.gz`, line: 1, reason: 'r' }];
    const [{ id: cliJob }] = await harness.source.query(
      `INSERT INTO transfer_jobs (type, kind, path, from_cli, created_by, state, error, errors)
       VALUES ('import', 'all', $1, true, 'x', 'failed', $2, $3) RETURNING id::text`,
      [place, `${place} is not a full export`, JSON.stringify(fault)],
    );
    const { text } = await admin.get('/jobs');
    const report = await admin.get(`/jobs/${cliJob}/report`);
    expect(report.body.errors).toEqual([{ file: 'all/01.gz', line: 1, reason: 'r' }]);
    for (const output of [text, report.text]) expect(output).not.toContain(parent);
    expect((await admin.get(`/jobs/${cliJob}`)).body).toMatchObject({
      path: 'all',
      error: 'all is not a full export',
    });
  });

  it('201: an import runs on the server, and reports invalid records', async () => {
    const lines = [{ id: 77, title: 'From a file' }, { id: 'x' }, { id: 78 }];
    writeFileSync(
      join(folder, 'books.ndjson'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const wish = { type: 'import', kind: 'book', path: 'books.ndjson' };
    const started = await admin.post('/jobs', wish);
    expect([started.status, started.body.created_by]).toEqual([201, admin.uid]);
    const { id } = started.body;
    expect(await ended(id)).toMatchObject({ ...wish, state: 'done', error_count: 2, error: '' });
    expect((await harness.call('/v2/book/77')).body.title).toBe('From a file');
    const { body } = await admin.get(`/jobs/${id}/report?count=1`);
    expect([body.total, body.errors[0].line]).toEqual([2, 2]);
    expect((await changesOf(admin, 'job', id))[0]).toMatchObject({
      action: 'job.import',
      before: null,
      after: wish,
    });
    expect((await admin.get('/jobs?state=done')).body.total).toBe(3);
  });

  it('400 and 404: rejects paths outside of TRANSFER_DIR, unknown types and unknown jobs', async () => {
    for (const wish of [
      { type: 'import', kind: 'book', path: '../etc/passwd' },
      { type: 'import', kind: 'nonsense', path: 'x' },
      { type: 'dance', kind: 'book', path: 'x' },
    ]) {
      expect((await admin.post('/jobs', wish)).body.code).toBe(999);
    }
    expect((await admin.post('/jobs/4711/cancel')).body.code).toBe(1001);
    expect((await admin.get('/jobs/4711/report')).body.code).toBe(1001);
  });

  it('200: cancels a waiting and a running job', async () => {
    await harness.source.query(
      `INSERT INTO transfer_jobs (type, kind, path, from_cli, created_by)
       VALUES ('import', 'book', '/nowhere', true, 'somebody')`,
    );
    const [{ id }] = (await admin.get('/jobs')).body.jobs;
    expect((await admin.post(`/jobs/${id}/cancel`)).body.state).toBe('cancelled');
    expect((await changesOf(admin, 'job', id))[0]?.action).toBe('job.cancel');
  });
});
