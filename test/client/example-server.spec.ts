import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleServer } from '../../clients/typescript/examples/shelf/serve';

/** The server of the example application. A path that names no file must not end its process. */

let server: Server;
let address: string;
let client: string;
beforeAll(async () => {
  client = mkdtempSync(join(tmpdir(), 'commonplace-client-'));
  writeFileSync(join(client, 'index.js'), 'export {};');
  const config = () => ({ service: 'http://service.example', clientId: 'app' });
  server = exampleServer(config, client).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(client, { recursive: true });
});

const statusOf = async (path: string): Promise<number> =>
  (await fetch(address + path, { signal: AbortSignal.timeout(10_000) })).status;

it.each(['/constructor', '/__proto__', '/toString/x', '//', '//x:y', '/none', '/none/at/all'])(
  'responds with 404 to %s',
  async (path) => {
    expect(await statusOf(path)).toBe(404);
  },
);

it.each([
  '/',
  '/shelf.js',
  '/config.json',
  '/commonplace-client/index.js',
  '/openapi-fetch/index.mjs',
])('serves %s', async (path) => {
  expect(await statusOf(path)).toBe(200);
});
