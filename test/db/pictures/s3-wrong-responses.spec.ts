import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { S3Storage } from '../../../src/images/s3-storage';
import { testSettings } from '../../settings';

const NAME = `${'aa'.repeat(32)}-l.jpg`;
const MEGABYTE = 1024 * 1024;

let respond: (response: ServerResponse) => void;
let encoding: unknown;
const bucket = createServer((request, response) => {
  encoding = request.headers['accept-encoding'];
  respond(response);
});
let storage: S3Storage;
beforeAll(async () => {
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  storage = new S3Storage(
    testSettings({
      PICTURES_S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
      PICTURES_S3_BUCKET: 'pictures',
      PICTURES_S3_ACCESS_KEY_ID: 'key',
      PICTURES_S3_SECRET_ACCESS_KEY: 'secret',
    }),
  );
});
afterAll(() => {
  bucket.close();
  bucket.closeAllConnections();
});

it.each([
  ['part of a file that was requested as a whole', 206, { 'content-range': 'bytes 0-1/9' }],
  ['another encoding', 200, { 'content-encoding': 'gzip' }],
  ['another success', 203, {}],
])('a response with %s is a failure', async (_, status, headers) => {
  respond = (response) => {
    response.writeHead(status, { ...headers, 'content-length': 2 }).end('ab');
  };
  await expect(storage.get(NAME)).rejects.toMatchObject({ status: 503 });
  expect(encoding).toBe('identity');
});

it('a part without its position is a failure', async () => {
  respond = (response) => {
    response.writeHead(206, { 'content-length': 2 }).end('ab');
  };
  await expect(storage.get(NAME, { start: 0, end: 1 })).rejects.toMatchObject({ status: 503 });
});

it('reads the beginning of an error only', async () => {
  let sent = 0;
  const closed = new Promise<void>((resolve) => {
    respond = (response) => {
      response.writeHead(403);
      const piece = Buffer.alloc(MEGABYTE, 'x');
      const send = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', send).on('close', resolve);
      send();
    };
  });
  await expect(storage.get(NAME)).rejects.toMatchObject({ status: 503 });
  await closed;
  expect(sent).toBeLessThan(64 * MEGABYTE);
});
