import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

const LINES = [
  '{"id":"1","title":"One","author":[]}',
  '{"id":"x"}',
  '{"id":"2","title":"Two","author":[]}',
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
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a file like the form of the page. */
async function upload(name: string, token: string, session = administrator.cookie) {
  const form = new FormData();
  form.append('form_token', token);
  form.append('file', new Blob([LINES.join('\n')]), name);
  const headers = { cookie: `commonplace_login=${session}`, accept: 'text/html' };
  const path = `${harness.origin}/admin/transfers/upload`;
  return fetch(path, { method: 'POST', body: form, headers, redirect: 'manual' });
}

it('receives a file of an administrator only, with a valid CSRF token', async () => {
  const user = await new Browser(harness).register('ann');
  const userToken = await user.formToken();
  expect((await upload('a.ndjson', userToken, user.cookie)).status).toBe(403);
  expect((await upload('a.ndjson', userToken)).status).toBe(403);
  expect((await upload('../a', form_token)).status).toBe(303);
  expect((await upload('a b.ndjson', form_token)).status).toBe(400);
  const done = await upload('books.ndjson', form_token);
  expect([done.status, done.headers.get('location')]).toEqual([
    303,
    '/admin/transfers?did=uploaded',
  ]);
  const { text } = await administrator.open('/admin/transfers');
  expect(text).toMatch(/books\.ndjson/);
  expect(text).not.toMatch(/a\.ndjson/);
});

it('previews an import with its errors, stores nothing, and starts it', async () => {
  const wish = { form_token, type: 'import', kind: 'book', path: 'books.ndjson' };
  const { text } = await administrator.post('/admin/transfers/preview', wish);
  expect(text).toMatch(/Nothing is stored yet/);
  expect(text).toMatch(/<td class="number">\s*2\s*<\/td>/);
  expect((await harness.call('/v2/book/1')).status).toBe(404);
  const started = await administrator.post('/admin/transfers/start', wish);
  const path = String(started.headers.get('location'));
  expect(path).toMatch(/^\/admin\/transfers\/jobs\/\d+\?did=job$/);
  const shown = await administrator.open(path);
  expect(shown.text).toMatch(/data-refresh="yes"/);
  const cancelled = await administrator.post(`${path.split('?')[0]}/cancel`, { form_token });
  expect(cancelled.status).toBe(303);
});

it('downloads files of the folder only', async () => {
  const { text, status } = await administrator.open('/admin/transfers/files/books.ndjson');
  expect([status, text]).toEqual([200, LINES.join('\n')]);
  for (const name of ['..%2Fetc', '%2Fetc%2Fpasswd', '.hidden', 'none']) {
    expect((await administrator.open(`/admin/transfers/files/${name}`)).status).toBe(404);
  }
});
