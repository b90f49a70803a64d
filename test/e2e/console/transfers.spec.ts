import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
  utimes,
} from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { ImportPreviewService } from '../../../src/admin/import-preview.service';
import { TransferFolder } from '../../../src/admin/transfer-folder';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { JobConnection } from '../../../src/import-export/jobs/job-connection';
import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from '../oauth/browser';
import { until } from '../process/programs';
import { signedInAdministrator } from './administrator';

const book = (id: number, title: string, more = {}): string =>
  JSON.stringify({ id: String(id), title, ...more });

const LINES = [
  book(1, 'One'),
  '{"id":"x"}',
  book(3, 'Three, changed', { summary: `${'long '.repeat(50)}<new>` }),
  book(4, 'Four'),
  book(5, 'Five'),
  book(5, 'Five again'),
];

let harness: Harness;
let administrator: Browser;
let form_token: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  harness = await startHarness({ settings: { TRANSFER_DIR: folder } });
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
  const stored = [book(3, 'Three', { summary: 'long '.repeat(50) }), book(4, 'Four')];
  const input = Readable.from([Buffer.from(stored.join('\n'))]);
  await harness.app.get(ImportService, { strict: false }).import('book', 'stored', input);
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

interface Upload {
  readonly token?: string;
  readonly session?: string;
  readonly content?: string | Uint8Array<ArrayBuffer>;
  readonly replace?: boolean;
}

/** Sends a file like the form of the page. @returns status and location */
async function upload(
  name: string,
  {
    token = form_token,
    session = administrator.cookie,
    content = LINES.join('\n'),
    replace = false,
  }: Upload = {},
): Promise<[number, string | null]> {
  const form = new FormData();
  form.append('form_token', token);
  if (replace) form.append('replace', 'yes');
  form.append('file', new Blob([content]), name);
  const headers = { cookie: `commonplace_login=${session}`, accept: 'text/html' };
  const path = `${harness.origin}/admin/transfers/upload`;
  const response = await fetch(path, { method: 'POST', body: form, headers, redirect: 'manual' });
  return [response.status, response.headers.get('location')];
}

const refused = (failed: string): [number, string] => [303, `/admin/transfers?failed=${failed}`];

/** Sends the form of an import or export. @returns the location that follows */
async function start(type: string, kind: string, path: string): Promise<string> {
  const fields = { form_token, type, kind, path };
  const { headers } = await administrator.post('/admin/transfers/start', fields);
  return String(headers.get('location'));
}

/** The text of a page in one line, without markup. */
const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

it('receives a file of an administrator only, with a valid CSRF token', async () => {
  const user = await new Browser(harness).register('ann');
  const userToken = await user.formToken();
  const [status] = await upload('a.ndjson', { token: userToken, session: user.cookie });
  expect(status).toBe(403);
  expect((await upload('a.ndjson', { token: userToken }))[0]).toBe(403);
  expect(await upload('a b.ndjson')).toEqual(refused('name'));
  expect(await upload('unfinished.part')).toEqual(refused('name'));
  const done = [303, '/admin/transfers?did=uploaded&path=books.ndjson'];
  expect(await upload('books.ndjson')).toEqual(done);
  // Only the account of the service can read it.
  expect((await stat(join(folder, 'books.ndjson'))).mode & 0o777).toBe(0o600);
  const { text } = await administrator.open(String(done[1]));
  expect(text).toMatch(/<option value="books\.ndjson" selected>/);
  expect(text).toMatch(/<option value="book" selected>Books/);
  expect(text).not.toMatch(/a\.ndjson/);
});

it('refuses other formats, and replaces a file only when it is told to', async () => {
  for (const [content, failure] of [
    ['id,title\n1,One\n', 'format'],
    ['PK\u0003\u0004\u0014', 'format'],
    [Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 'encoding'],
    [new Uint8Array(gzipSync('id;title\n1;One')), 'format'],
  ] as const) {
    expect(await upload('other.csv', { content })).toEqual(refused(failure));
  }
  const page = await administrator.open(String(refused('format')[1]), { 'accept-language': 'zh' });
  expect(page.text).toMatch(/role="alert"[^]*这个文件不是 JSON/);
  expect(await upload('books.ndjson', { content: '{}' })).toEqual(refused('exists'));
  expect(await readFile(join(folder, 'books.ndjson'), 'utf8')).toBe(LINES.join('\n'));
  expect((await upload('second.gz', { content: new Uint8Array(gzipSync('{}')) }))[0]).toBe(303);
  await upload('second.gz', { content: '{"id":1}', replace: true });
  expect(await readFile(join(folder, 'second.gz'), 'utf8')).toBe('{"id":1}');
  expect((await readdir(folder)).sort()).toEqual(['books.ndjson', 'second.gz']);
});

describe('an upload of a name that another file gets after the last check', () => {
  const file = (): string => join(folder, 'late.ndjson');
  beforeEach(() => {
    const transfers = harness.app.get(TransferFolder, { strict: false });
    const findFile = transfers.findFile.bind(transfers);
    let checks = 0;
    jest.spyOn(transfers, 'findFile').mockImplementation(async (name) => {
      const found = await findFile(name);
      checks += 1;
      // The first check is before the body is read.
      if (checks === 2) await writeFile(file(), 'of another');
      return found;
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(file());
  });

  it('is refused', async () => {
    expect(await upload('late.ndjson')).toEqual(refused('exists'));
    expect(await readFile(file(), 'utf8')).toBe('of another');
  });

  it('replaces it when it is told to, which the audit log contains', async () => {
    expect((await upload('late.ndjson', { content: '{"id":1}', replace: true }))[1]).toMatch(
      'did=',
    );
    expect(await readFile(file(), 'utf8')).toBe('{"id":1}');
    const [entry] = await harness.source.query<{ after: unknown }[]>(
      `SELECT after FROM audit_log WHERE action = 'file.upload' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry?.after).toMatchObject({ replaced: true });
  });
});

it('receives two files at once whose requests have the same id', async () => {
  const edge = '--edge';
  const partOf = (name: string): string =>
    `${edge}\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n${form_token}\r\n` +
    `${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const send = (name: string): [ClientRequest, Promise<number | undefined>] => {
    const headers = {
      cookie: `commonplace_login=${administrator.cookie}`,
      'content-type': 'multipart/form-data; boundary=edge',
      'x-request-id': 'same-id',
    };
    const path = `${harness.origin}/admin/transfers/upload`;
    const sent = request(path, { method: 'POST', headers, agent: false });
    sent.write(`${partOf(name)}{"id":"1"}\n`);
    return [
      sent,
      once(sent, 'response').then(([response]) => (response as IncomingMessage).statusCode),
    ];
  };
  const [slow, slowStatus] = send('slow.ndjson');
  await until(async () => (await readdir(folder)).some((name) => name.startsWith('.upload-')));
  const [fast, fastStatus] = send('fast.ndjson');
  fast.end(`\r\n${edge}--\r\n`);
  expect(await fastStatus).toBe(303);
  slow.end(`{"id":"2"}\r\n${edge}--\r\n`);
  expect(await slowStatus).toBe(303);
  const [first, second] = await Promise.all(
    ['slow', 'fast'].map((name) => readFile(join(folder, `${name}.ndjson`), 'utf8')),
  );
  expect([first, second]).toEqual(['{"id":"1"}\n{"id":"2"}', '{"id":"1"}\n']);
  await Promise.all(['slow', 'fast'].map((name) => rm(join(folder, `${name}.ndjson`))));
});

it('deletes what uploads to killed processes left', async () => {
  const drafts = ['.upload-abandoned', '.upload-arriving'].map((name) => join(folder, name));
  await Promise.all(drafts.map((draft) => writeFile(draft, 'part')));
  const before = new Date(Date.now() - 2 * 3_600_000);
  await utimes(String(drafts[0]), before, before);
  await upload('c.ndjson');
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([
    '.upload-arriving',
  ]);
  await Promise.all([String(drafts[1]), join(folder, 'c.ndjson')].map((path) => rm(path)));
});

it('previews what an import would do, and stores nothing', async () => {
  const wish = { form_token, kind: 'book', path: 'books.ndjson' };
  const { text } = await administrator.post('/admin/transfers/preview', wish);
  const shown = textOf(text);
  expect(shown).toMatch(/Created 2 Updated 1 Unchanged 2 Rejected 1 /);
  expect(shown).toMatch(/Rejected records .* 2 id must be/);
  expect(shown).toMatch(
    /Records to update .* Three, changed Line 3 · Id 3 title Three → Three, changed/,
  );
  expect(shown).toMatch(/summary …long [a-z ]+ → …long [a-z ]+&lt;new&gt;/);
  expect(shown).toMatch(/Records to create .* One Line 1 · Id 1 Five again Line 6 · Id 5 /);
  expect(shown).toMatch(/Unchanged records .* Four Line 4 · Id 4 It equals the stored record/);
  expect(shown).toMatch(/ Five Line 5 · Id 5 A later record of the file has the same id/);
  expect(await harness.source.query('SELECT id::int FROM books ORDER BY id')).toEqual([
    { id: 3 },
    { id: 4 },
  ]);
});

it('bounds previews: the size that they read, one at a time, and they end with the request', async () => {
  const long = `{"id":"x","pad":"${'a'.repeat(99_000)}"}\n`;
  await writeFile(join(folder, 'bomb.gz'), gzipSync(long.repeat(300)));
  const wish = { form_token, kind: 'book', path: 'bomb.gz' };
  const cut = textOf((await administrator.post('/admin/transfers/preview', wish)).text);
  expect(cut).toMatch(
    /The preview read only the first 20 MB \(at most 20 MB and 10 seconds\)\. .* Rejected 211 /,
  );

  await writeFile(join(folder, 'many.ndjson'), '{}\n'.repeat(2_000_000));
  const leaving = new AbortController();
  const headers = { cookie: `commonplace_login=${administrator.cookie}`, accept: 'text/html' };
  const body = new URLSearchParams({ ...wish, path: 'many.ndjson' });
  const options = { method: 'POST', headers, body, signal: leaving.signal };
  const first = fetch(`${harness.origin}/admin/transfers/preview`, options).catch(() => 'left');
  const previews = harness.app.get(ImportPreviewService, { strict: false });
  await until(() => Promise.resolve(previews.isBusy));
  const second = await administrator.post('/admin/transfers/preview', wish);
  expect(second.headers.get('location')).toMatch('failed=busy');
  leaving.abort();
  expect(await first).toBe('left');
  await until(() => Promise.resolve(!previews.isBusy));
});

it('refuses files that cannot be imported in the form, and keeps its values', async () => {
  await writeFile(join(folder, 'table.csv'), 'a,b\n1,2\n');
  await mkdir(join(folder, 'incomplete'));
  for (const [kind, path, failure] of [
    ['book', 'none.json', 'missing'],
    ['book', '../x', 'name'],
    ['book', '', 'file'],
    ['book', 'table.csv', 'format'],
    ['all', 'books.ndjson', 'folder'],
    ['book', 'incomplete', 'export'],
  ] as const) {
    expect(await start('import', kind, path)).toMatch(
      `?failed=${failure}&type=import&kind=${kind}`,
    );
  }
  expect(await start('export', 'book', 'books.ndjson')).toMatch('?failed=target&type=export');
  const { text } = await administrator.open(await start('import', 'note', 'table.csv'));
  expect(text).toMatch(/<option value="note" selected>/);
  expect(await harness.source.query('SELECT 1 FROM transfer_jobs')).toEqual([]);
});

it('says why a job waits, and shows its progress', async () => {
  const acquire = () => JobConnection.acquireJobsLock(harness.database);
  const other = await acquire();
  const path = await start('import', 'book', 'books.ndjson');
  expect(path).toMatch(/^\/admin\/transfers\/jobs\/\d+\?did=job$/);
  const waiting = await administrator.open(path);
  expect(waiting.text).toMatch(
    /data-refresh="yes"[^]*The server is starting the process of this job/,
  );
  const behind = await administrator.open(await start('export', 'loc', 'cities.ndjson'));
  expect(behind.text).toMatch(/after another job:\s*<a href="\/admin\/transfers\/jobs\/\d+">/);
  await other?.release({ notify: true });
  const job = async () => (await administrator.open(path)).text;
  await until(async () => !(await job()).includes('data-refresh'));
  expect(textOf(await job())).toMatch(/Records 6 Created 2 Updated 1 Unchanged 2 Rejected 1 /);
  let lock: JobConnection | undefined; // The server must not resume the job.
  await until(async () => (lock = await acquire()) !== undefined);
  await harness.source.query(
    `UPDATE transfer_jobs SET state = 'running', progress = $1 WHERE kind = 'book'`,
    [JSON.stringify([{ kind: 'book', file: 'x', records: 10, bytes: 25, size: 100, seconds: 5 }])],
  );
  const running = await job();
  expect(running).toMatch(/<progress[^>]*max="100" value="25"/);
  expect(textOf(running)).toMatch(/25%, about 15 s left .* 2 records per second/);
  await harness.source.query(`UPDATE transfer_jobs SET state = 'cancelled' WHERE kind = 'book'`);
  await lock?.release({ notify: true });
});

it('downloads a full export as one archive', async () => {
  const path = await start('export', 'all', 'full');
  const page = async () => (await administrator.open(path)).text;
  await until(async () => (await page()).includes('Download the export'));
  expect(textOf(await page())).toMatch(/Progress .* Books 4 .* Cities 0 /);
  const address = '/admin/transfers/exports/full';
  expect((await administrator.open('/admin/transfers')).text).toMatch(`href="${address}"`);
  const headers = { cookie: `commonplace_login=${administrator.cookie}` };
  const response = await fetch(harness.origin + address, { headers });
  const archive = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="full.tar"');
  expect(Number(response.headers.get('content-length'))).toBe(archive.length);
  const names: string[] = [];
  for await (const entry of Readable.from([archive]).pipe(extract())) {
    const content = await buffer(entry);
    names.push(entry.header.name);
    expect(content.equals(await readFile(join(folder, entry.header.name)))).toBe(true);
  }
  expect(names).toEqual((await readdir(join(folder, 'full'))).sort().map((one) => `full/${one}`));
  const fields = { form_token, kind: 'all', path: 'full' };
  const preview = await administrator.post('/admin/transfers/preview', fields);
  expect(textOf(preview.text)).toMatch(/Books 4 /);
});

it('downloads files of the folder only', async () => {
  const { text, status } = await administrator.open('/admin/transfers/files/books.ndjson');
  expect([status, text]).toEqual([200, LINES.join('\n')]);
  await symlink('/etc/passwd', join(folder, 'link'));
  for (const name of ['..%2Fetc', '%2Fetc%2Fpasswd', '.hidden', 'none', 'link', 'full']) {
    expect((await administrator.open(`/admin/transfers/files/${name}`)).status).toBe(404);
  }
  for (const name of ['incomplete', 'books.ndjson', '..%2Ffull', 'none'])
    expect((await administrator.open(`/admin/transfers/exports/${name}`)).status).toBe(404);
});

it('logs who downloads a file', async () => {
  await administrator.open('/admin/transfers/files/books.ndjson');
  // A folder is no file, so nothing is downloaded.
  await administrator.open('/admin/transfers/files/full');
  const [download] = await harness.source.query(
    `SELECT target_id, after FROM audit_log WHERE action = 'file.download' ORDER BY id DESC LIMIT 1`,
  );
  const bytes = Buffer.byteLength(LINES.join('\n'));
  expect(download).toEqual({ target_id: 'books.ndjson', after: { bytes } });
});
