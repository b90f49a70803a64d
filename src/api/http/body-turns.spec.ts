import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { BodyTurns } from './body-turns';

const CHUNK = 65_536;

/** A connection whose handle counts instead of reading. */
class Connection {
  readonly _handle = {
    reading: true,
    readStop: () => (this.isRead = false),
    readStart: () => (this.isRead = true),
  };
  destroyed = false;
  isRead = true;
}

const open = (number: number): Connection[] =>
  Array.from({ length: number }, () => new Connection());

const readOf = (connections: readonly Connection[]): number =>
  connections.filter(({ isRead }) => isRead).length;

describe('in a turn of the event loop', () => {
  let turns: BodyTurns;
  beforeEach(() => {
    turns = new BodyTurns();
  });

  /** Passes chunks of a connection while it is read. @returns their number */
  function arrive(connection: Connection, network = '192.0.2.1', max = 100): number {
    let chunks = 0;
    for (; chunks < max && connection.isRead; chunks += 1) {
      turns.arrived(connection as unknown as Socket, network, CHUNK);
    }
    return chunks;
  }

  it('a connection is read until it has 256 KB', () => {
    expect(arrive(new Connection())).toBe(4);
  });

  it('all connections are read until they have 1 MB, then each to its next data', () => {
    const connections = open(30);
    const chunks = connections.map((connection) => arrive(connection));
    expect(chunks).toEqual([4, 4, 4, 4, ...Array<number>(26).fill(1)]);
  });

  it('16 of the stopped connections are read again', async () => {
    const connections = open(40);
    for (const connection of connections) arrive(connection);
    expect(readOf(connections)).toBe(0);
    await setImmediate();
    expect(readOf(connections)).toBe(16);
  });

  it('connections are read again without further data', async () => {
    const connections = open(40);
    for (const connection of connections) arrive(connection);
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    expect(readOf(connections)).toBe(40);
  });

  it('networks take turns', async () => {
    const [many, other] = [open(40), new Connection()];
    for (const connection of many) arrive(connection);
    arrive(other, '192.0.2.2');
    await setImmediate();
    expect(other.isRead).toBe(true);
  });

  it('closed connections take no turn', async () => {
    const connections = open(40);
    for (const connection of connections) arrive(connection);
    for (const connection of connections.slice(0, 20)) connection.destroyed = true;
    await setImmediate();
    expect(readOf(connections.slice(20))).toBe(16);
  });

  it('a connection that its stream has paused is not started', async () => {
    const connection = new Connection();
    arrive(connection);
    connection._handle.reading = false;
    await setImmediate();
    expect(connection.isRead).toBe(false);
  });

  it('a connection that its stream starts again stops at its next data', () => {
    const connection = new Connection();
    arrive(connection);
    connection.isRead = true;
    expect(arrive(connection)).toBe(1);
  });
});

it('reads all bodies completely, also if their streams pause and resume', async () => {
  const turns = new BodyTurns();
  const server = createServer((request, response) => {
    const push = request.push.bind(request);
    request.push = (data: Buffer | null) => {
      if (data) turns.arrived(request.socket, '192.0.2.1', data.length);
      return push(data);
    };
    void readSlowly(request).then((bytes) => response.end(`bytes: ${bytes}`));
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
