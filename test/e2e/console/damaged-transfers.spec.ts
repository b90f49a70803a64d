import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { startHarness, type Harness } from '../../harness';
import { hiddenFields, type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

/** More than the buffers of a connection hold. */
const LARGE = 64 * 1024 * 1024;

/** Connections that stay open after a complete response. */
const connections = new Agent({ keepAlive: true });

let harness: Harness;
let administrator: Browser;
let form_token: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  harness = await startHarness({ settings: { TRANSFER_DIR: folder } });
  // Otherwise a timeout would end connections that a download leaves open.
  harness.app.getHttpServer().keepAliveTimeout = 0;
  administrator = await signedInAdministrator(harness, 'root');
  form_token = hiddenFields((await administrator.open('/admin')).text).form_token ?? '';
});
afterAll(async () => {
  connections.destroy();
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

/** Requests the preview of a file. @returns status and location */
async function preview(name: string, content: Buffer): Promise<[number, string | null]> {
  await writeFile(join(folder, name), content);
  const fields = { form_token, kind: 'book', path: name };
  const { status, headers } = await administrator.post('/admin/transfers/preview', fields);
  return [status, headers.get('location')];
}

/**
 * Records in gzip that do not compress well, so that damage may be far from the beginning. They are
 * few: a preview ends after 10 seconds.
 */
function compressed(): Buffer {
  const title = (id: number): string => createHash('sha512').update(String(id)).digest('hex');
  const lines = Array.from(
    { length: 2_000 },
    (_, id) => `{"id":"${id + 1}","title":"${title(id)}"}`,
  );
  return gzipSync(lines.join('\n'));
}

const rejected = (code: string, name: string): [number, string] => [
  303,
  `/admin/transfers?failed=${code}&type=import&kind=book&path=${name}`,
];

it('the preview of a damaged gzip file says so', async () => {
  const whole = compressed();
  const flipped = Buffer.from(whole);
  flipped.fill(0xff, whole.length - 5000, whole.length - 4000);
  const wrongChecksum = Buffer.from(whole);
  wrongChecksum.fill(0, whole.length - 8);
  for (const [name, content] of [
    ['incomplete.gz', whole.subarray(0, -5000)],
    ['short.gz', whole.subarray(0, 100)],
    ['flipped.gz', flipped],
    ['checksum.gz', wrongChecksum],
  ] as const) {
    expect(await preview(name, content)).toEqual(rejected('damaged', name));
  }
  const { text } = await administrator.open(rejected('damaged', 'flipped.gz')[1]);
  expect(text).toMatch(/role="alert"[^]*This gzip file is damaged/);
});

it('the preview of a file whose encoding shows late says so', async () => {
  const english = `{"id":"1","title":"${'a'.repeat(70_000)}"}\n`;
  const gbk = Buffer.concat(
    Array.from({ length: 3 }, () =>
      Buffer.concat([
        Buffer.from('{"id":"2","title":"'),
        Buffer.from('c8fdcce5', 'hex'),
        Buffer.from('"}\n'),
      ]),
    ),
  );
  const content = Buffer.concat([Buffer.from(english), gbk]);
  expect(await preview('late.ndjson', content)).toEqual(rejected('encoding', 'late.ndjson'));
});

it.each([
  ['later', '{"format":2,"service":"9","kinds":[]}'],
  ['cut', '{"format":1,'],
  ['null', 'null'],
  ['blank', ''],
])('the preview of an export with an unusable manifest says so: %s', async (path, manifest) => {
  await mkdir(join(folder, path));
  await writeFile(join(folder, path, 'manifest.json'), manifest);
  const fields = { form_token, kind: 'all', path };
  const { status, headers } = await administrator.post('/admin/transfers/preview', fields);
  const location = `/admin/transfers?failed=manifest&type=import&kind=all&path=${path}`;
  expect([status, headers.get('location')]).toEqual([303, location]);
  const { text } = await administrator.open(location);
  expect(text).toMatch(/role="alert"[^]*This export is damaged/);
});

/** Begins a download and reads its beginning. */
async function beginDownload(name: string): Promise<IncomingMessage> {
  const sent = get(`${harness.origin}/admin/transfers/files/${name}`, {
    headers: { cookie: `commonplace_login=${administrator.cookie}` },
    agent: connections,
  });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response, 'readable');
  return response;
}

it('a download whose file shrinks ends with its connection', async () => {
  await writeFile(join(folder, 'shrinks'), '');
  await truncate(join(folder, 'shrinks'), LARGE);
  const response = await beginDownload('shrinks');
  await truncate(join(folder, 'shrinks'), 1000);
  await finished(response.resume()).catch(() => undefined);
  expect(response.complete).toBe(false);
});

it('downloads an empty file', async () => {
  await writeFile(join(folder, 'empty'), '');
  const { status, text } = await administrator.open('/admin/transfers/files/empty');
  expect([status, text]).toEqual([200, '']);
});
