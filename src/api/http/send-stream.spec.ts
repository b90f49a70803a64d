import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sendStream } from './send-stream';

let server: Server;
let origin: string;
beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => server.close());

it('a file is closed when the client has left before the file is sent', async () => {
  const file = await open(__filename);
  const stream = file.createReadStream();
  // `once` would fail with the error that the stream gets in Node 20.
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
  const sent = new Promise<void>((resolve, reject) => {
    server.once('request', (_request, response) => {
      const left = once(response, 'close');
      client.destroy();
      left.then(() => sendStream(stream, response)).then(resolve, reject);
    });
  });
  const client = get(origin).on('error', () => undefined);
  await sent;
  await closed;
  expect(file.fd).toBe(-1);
});

it('a stream is destroyed when the client leaves while it is sent', async () => {
  const stream = new Readable({ read: () => undefined });
  stream.push('beginning');
  const sent = new Promise<void>((resolve, reject) => {
    server.once('request', (_request, response) => {
      sendStream(stream, response).then(resolve, reject);
    });
  });
  const client = get(origin, (response) => {
    response.on('error', () => undefined).once('data', () => client.destroy());
  }).on('error', () => undefined);
  await sent;
  expect(stream.destroyed).toBe(true);
});

it('fails with the error of the stream, and cuts the response off', async () => {
  const stream = new Readable({ read: () => undefined });
  const sent = new Promise<void>((resolve, reject) => {
    server.once('request', (_request, response) => {
      response.setHeader('Content-Length', 100);
      sendStream(stream, response).then(resolve, reject);
    });
  });
  const client = get(origin, (response) => {
    response.on('error', () => undefined).once('data', () => stream.destroy(new Error('lost')));
  });
  client.on('error', () => undefined);
  stream.push('beginning');
  await expect(sent).rejects.toThrow('lost');
});

it('a stream is not read for HEAD', async () => {
  let isRead = false;
  const stream = new Readable({ read: () => (isRead = true) });
  server.once('request', (_request, response) => {
    response.setHeader('Content-Length', 100);
    void sendStream(stream, response);
  });
  const response = await fetch(origin, { method: 'HEAD' });
  expect(response.headers.get('content-length')).toBe('100');
  await expect(response.text()).resolves.toBe('');
  expect([isRead, stream.destroyed]).toEqual([false, true]);
});
