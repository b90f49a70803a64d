import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Pipelines } from '../src/api/http/pipelines';
import { RequestMemory, MAX_HEAD_BYTES } from '../src/api/http/request-memory';
import { coalesceChunks, hasBodyHeaders } from '../src/api/http/small-chunks';
import { makeCertificate } from './e2e/process/certificate';

/** Maximum bytes of large heads and waiting bodies. */
export const LIMIT = 30_000;

export const GET = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
export const CHUNKED = 'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n';
/** The begin of a head that exceeds the limit, without its end. */
export const INCOMPLETE = `GET / HTTP/1.1\r\nX: ${'x'.repeat(30_000)}`;
/** The last chunk and the begin of a trailer that exceeds the limit. */
export const TRAILER = `0\r\nX: ${'x'.repeat(30_000)}`;

/** A connection of a client, and the server's side of it. */
export interface Pair {
  readonly client: Socket;
  readonly socket: Socket;
}

/** A server whose {@link RequestMemory} has a small limit, and is checked by the test alone. */
export class MemoryServer {
  readonly memory = new RequestMemory(0, LIMIT);
  handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  handled = 0;
  /** Whether small chunks are coalesced. Otherwise Node discards a body after an early response. */
  coalesces = true;
  usesTls = false;
  private readonly sockets: Socket[] = [];
  private readonly pipelines = new Pipelines();
  private readonly plain = createServer(
    { maxHeaderSize: MAX_HEAD_BYTES },
    this.listener.bind(this),
  );
  private readonly tls = createHttpsServer(
    { maxHeaderSize: MAX_HEAD_BYTES, ...makeCertificate('test') },
    this.listener.bind(this),
  );

  async start(): Promise<void> {
    this.plain.on('connection', (socket: Socket) => this.sockets.push(socket));
    this.tls.on('secureConnection', (socket: Socket) => this.sockets.push(socket));
    this.memory.watch(this.plain, false);
    this.memory.watch(this.tls, true);
    // Only the tests check: a check before a body is complete would close its connection.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await Promise.all(
      [this.plain, this.tls].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')),
    );
    jest.useRealTimers();
  }

  /** Call it before each test. Requests are read, then responded to. */
  reset(): void {
    this.handled = 0;
    this.usesTls = false;
    this.coalesces = true;
    this.sockets.length = 0;
    this.handle = (request, response) =>
      void request.resume().on('end', () => response.end('done'));
  }

  stop(): void {
    for (const one of [this.plain, this.tls]) {
      one.closeAllConnections();
      one.close();
    }
  }

  async open(): Promise<Pair> {
    const server: Server = this.usesTls ? this.tls : this.plain;
    const { port } = server.address() as AddressInfo;
    const to = { port, host: '127.0.0.1', rejectUnauthorized: false };
    const client = this.usesTls ? connectTls(to) : connect(to);
    client.on('error', () => undefined);
    await once(server, this.usesTls ? 'secureConnection' : 'connection');
    return { client, socket: this.sockets.at(-1) as Socket };
  }

  /** Closes the largest connections, and waits some turns for their last responses. */
  async closeLargest(): Promise<void> {
    this.memory.closeLargest();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }

  /** Whether a connection on which a client has sent texts is closed. */
  async isClosedAfter(...texts: string[]): Promise<boolean> {
    const one = await this.open();
    for (const text of texts) await send(one, text);
    await this.closeLargest();
    const { destroyed } = one.socket;
    await leave(one);
    return destroyed;
  }

  private listener(request: IncomingMessage, response: ServerResponse): void {
    const withBody = hasBodyHeaders(request);
    if (withBody && this.coalesces) coalesceChunks(request, response);
    this.memory.add(request, response, withBody);
    this.pipelines.enter(request, response, () => {
      this.handled += 1;
      this.handle(request, response);
    });
  }
}

/** Sends text, and waits until the server has read it or closed the connection. */
export async function send({ client, socket }: Pair, text: string): Promise<void> {
  const before = socket.bytesRead;
  client.write(text);
  while (!socket.destroyed && socket.bytesRead < before + text.length)
    await new Promise(setImmediate);
  // Events of the parser follow in the next turns.
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

export async function leave({ client, socket }: Pair): Promise<void> {
  client.destroy();
  // Node does not notice the end of a connection that it does not read.
  socket.destroy();
  // Not `once`, which would fail for the error of an incomplete request.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** A server for the tests of a file. */
export function useMemoryServer(): MemoryServer {
  const site = new MemoryServer();
  beforeAll(() => site.start());
  beforeEach(() => {
    site.reset();
  });
  afterAll(() => {
    site.stop();
  });
  return site;
}
