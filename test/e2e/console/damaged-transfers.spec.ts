import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { startHarness, type Harness } from '../../harness';
import { type Browser } from '../oauth/browser';
import { signedInAdministrator } from './administrator';

/** More than the buffers of a connection hold. */
const LARGE = 64 * 1024 * 1024;

/** Connections that stay open after a complete response. */
const connections = new Agent({ keepAlive: true });

let harness: Harness;
let administrator: Browser;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  harness = await startHarness({ settings: { TRANSFER_DIR: folder } });
  // Otherwise a timeout would end connections that a download leaves open.
  harness.app.getHttpServer().keepAliveTimeout = 0;
  administrator = await signedInAdministrator(harness, 'root');
});
afterAll(async () => {
  connections.destroy();
  await harness.close();
  await rm(folder, { recursive: true, force: true });
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
