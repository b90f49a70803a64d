import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer, connect as connectTls, type TLSSocket } from 'node:tls';
import { makeCertificate } from '../../../test/e2e/process/certificate';
import { type ReadConnection } from './read-connection';
import { ReadTurns } from './read-turns';

it('reads all bodies completely, also if their streams pause and resume', async () => {
  const turns = new ReadTurns();
  const connections = new Map<Socket, ReadConnection>();
  const server = createServer((request, response) => {
    const push = request.push.bind(request);
    const connection = connections.get(request.socket) as ReadConnection;
    request.push = (data: Buffer | null) => {
      if (data) turns.addChunk(connection, '192.0.2.1', data.length);
      return push(data);
    };
    void readSlowly(request).then((bytes) => response.end(`bytes: ${bytes}`));
  });
  server.on('connection', (socket) => {
    const connection = turns.open(socket, '192.0.2.1');
    connections.set(socket, connection);
    socket.on('close', () => {
      turns.close(connection);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = Buffer.alloc(2_000_000, 'a');
  const responses = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`);
      socket.write(`Content-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
      let text = '';
      for await (const data of socket) text += String(data);
      return text.split('\r\n\r\n')[1];
    }),
  );
  server.close();
  expect(new Set(responses)).toEqual(new Set([`bytes: ${body.length}`]));
});

/** Reads a body like a handler that waits for the disk. */
async function readSlowly(request: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const data of request) {
    bytes += (data as Buffer).length;
    await setImmediate();
  }
  return bytes;
}

it('TLS records of one byte fill a turn', async () => {
  const turns = new ReadTurns();
  const accepted: TLSSocket[] = [];
  const server = createTlsServer(makeCertificate('test'), (socket) => {
    accepted.push(socket);
    turns.open(socket, '192.0.2.1');
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const idle = connectTls({ port, rejectUnauthorized: false });
  await Promise.all([once(idle, 'secureConnect'), once(server, 'secureConnection')]);
  const { _handle } = accepted[0] as unknown as { _handle: { readStop: () => void } };
  const stopped = new Promise((resolve) => {
    _handle.readStop = () => {
      resolve('stopped');
    };
  });
  const sender = await sendRecords(port, 3000);
  expect(await stopped).toBe('stopped');
  idle.destroy();
  sender.destroy();
  server.close();
});

/** Sends records of one byte at the same moment. */
async function sendRecords(port: number, count: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const held: Buffer[] = [];
  let isHolding = false;
  const encrypted = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => {
      if (isHolding) held.push(chunk);
      else socket.write(chunk);
      done();
    },
  });
  socket.on('data', (data) => encrypted.push(data));
  const sender = connectTls({ socket: encrypted, rejectUnauthorized: false });
  await once(sender, 'secureConnect');
  isHolding = true;
  for (let sent = 0; sent < count; sent += 1) {
    await new Promise((resolve) => sender.write('a', resolve));
  }
  socket.write(Buffer.concat(held));
  return socket;
}
