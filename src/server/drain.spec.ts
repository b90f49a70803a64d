import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Request, type Response } from 'express';
import { createRequestContext, type ApiRequest } from '../api/http/request-context';
import { Drain } from './drain';

/** A connection by hand, and what has come over it. */
class Client {
  text = '';
  readonly closed: Promise<unknown>;

  constructor(private readonly socket: Socket) {
    this.closed = once(socket, 'close');
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
    });
    // Being cut off shows as closed.
    socket.on('error', () => undefined);
  }

  send(text: string): void {
    this.socket.write(text);
  }

  ask(path: string, headers = ''): void {
    this.send(`GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n`);
  }

  /** Waits until the text holds something. */
  async receives(what: RegExp): Promise<void> {
    while (!what.test(this.text)) await once(this.socket, 'data');
  }

  /** Asks, and waits for the whole response, which ends with its body. */
  async get(path: string, headers = ''): Promise<string> {
    this.text = '';
    this.ask(path, headers);
    await this.receives(/\r\n\r\n.+$/);
    return this.text;
  }
}

/** Serves `ok`, and holds requests to `/held` until the test answers them. */
class Service {
  readonly held: ServerResponse[] = [];
  private readonly arrivals = new EventEmitter();
  private readonly server = createServer((request, response) => {
    const express = Object.assign(request, { originalUrl: request.url }) as unknown as Request;
    (express as ApiRequest).context = createRequestContext(express);
    this.drain.middleware(express, response as unknown as Response, () => {
      if (request.url !== '/held') {
        response.end('ok');
        return;
      }
      this.held.push(response);
      this.arrivals.emit('held');
    });
  });

  private constructor(readonly drain: Drain) {
    drain.watch(this.server);
  }

  /** @param closing milliseconds of the closing phase at most */
  static async start(closing = 0): Promise<Service> {
    const service = new Service(new Drain(closing));
    await once(service.server.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  async open(): Promise<Client> {
    const { port } = this.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new Client(socket);
  }

  /** A connection whose request waits for its response. */
  async busy(): Promise<Client> {
    const client = await this.open();
    const arrived = once(this.arrivals, 'held');
    client.ask('/held');
    await arrived;
    return client;
  }

  /** Waits until no new connections are accepted. */
  async stoppedListening(): Promise<void> {
    while (this.server.listening) await turn();
  }
}

const NEVER = 3_600_000;
const HOUR = 3600;
/** The body that the contract asks for (D4, D5). */
const refusal = (path: string) => ({
  msg: 'unknow_v2_error',
  code: 999,
  request: `GET ${path}`,
});

const bodyOf = (response: string): unknown =>
  JSON.parse(response.split('\r\n\r\n')[1] ?? '') as unknown;

it('serves all paths except /readyz in the lame-duck phase', async () => {
  const service = await Service.start();
  const client = await service.open();
  expect(await client.get('/readyz')).toMatch(/^HTTP\/1.1 200 /);
  const ended = service.drain.run({ lameDuck: HOUR, drain: HOUR });
  const response = await client.get('/readyz');
  expect(response).toMatch(/^HTTP\/1.1 503 [^]*\r\nRetry-After: 2\r\n/);
  expect(bodyOf(response)).toEqual(refusal('/readyz'));
  const keepAlive = /^HTTP\/1.1 200 [^]*\r\nConnection: keep-alive\r\n/;
  expect(await client.get('/v2/book/1')).toMatch(keepAlive);
  expect(await (await service.open()).get('/healthz')).toMatch(keepAlive);
  expect(service.drain.hurry()).toBe(true);
  expect(await ended).toBe(true);
  expect(service.drain.hurry()).toBe(false);
});

it('closes each connection with its next response in the closing phase', async () => {
  const service = await Service.start(NEVER);
  const [idle, busy] = [await service.open(), await service.busy()];
  await idle.get('/');
  const ended = service.drain.run({ lameDuck: HOUR, drain: 0 });
  service.drain.hurry();
  await service.stoppedListening();
  const last = /^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n/;
  expect(await idle.get('/')).toMatch(last);
  await idle.closed;
  service.held[0]?.end('late');
  await busy.closed;
  expect(busy.text).toMatch(last);
  expect(await ended).toBe(true);
});

describe('the drain phase', () => {
  it('finishes running requests with Connection: close, and closes idle connections', async () => {
    const service = await Service.start();
    const [idle, busy] = [await service.open(), await service.busy()];
    await idle.get('/');
    const ended = service.drain.run({ lameDuck: 0, drain: HOUR });
    await idle.closed;
    service.held[0]?.end('late');
    await busy.closed;
    expect(busy.text).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n[^]*late/);
    expect(await ended).toBe(true);
  });

  it('rejects a request that was arriving, in the accepted media type', async () => {
    const service = await Service.start();
    const [plain, problem] = [await service.open(), await service.open()];
    for (const client of [plain, problem]) {
      await client.get('/');
      client.send('GET /v2/book/1?x=y HTTP/1.1\r\nHost: test\r\n');
    }
    // Over the same loop: everything sent before has been read when this response arrives.
    await (await service.open()).get('/');
    const ended = service.drain.run({ lameDuck: 0, drain: HOUR });
    await service.stoppedListening();
    plain.text = problem.text = '';
    plain.send('\r\n');
    problem.send('Accept: application/problem+json\r\n\r\n');
    await Promise.all([plain.closed, problem.closed]);
    expect(plain.text).toMatch(/^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n/);
    expect(plain.text).toMatch(/\r\nRetry-After: 2\r\n/);
    expect(bodyOf(plain.text)).toEqual(refusal('/v2/book/1'));
    expect(bodyOf(problem.text)).toMatchObject({
      ...refusal('/v2/book/1'),
      type: 'urn:commonplace:error:999',
      status: 503,
    });
    expect(await ended).toBe(true);
  });

  it('reads the body of a rejected request, so that the client gets the response', async () => {
    const service = await Service.start();
    const client = await service.open();
    client.send('POST / HTTP/1.1\r\n');
    await (await service.open()).get('/');
    const ended = service.drain.run({ lameDuck: 0, drain: HOUR });
    await service.stoppedListening();
    client.send(`Host: test\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`);
    await client.closed;
    expect(client.text).toMatch(/^HTTP\/1.1 503 /);
    expect(await ended).toBe(true);
  });

  it('aborts requests that take too long', async () => {
    const service = await Service.start();
    const busy = await service.busy();
    expect(await service.drain.run({ lameDuck: 0, drain: 0 })).toBe(false);
    await busy.closed;
    expect(busy.text).toBe('');
  });

  it('ends waits for other services before it aborts their requests', async () => {
    const service = await Service.start();
    const busy = await service.busy();
    const ended = new Promise<boolean>((resolve) => {
      service.drain.beforeAbort = () => {
        resolve(service.held[0]?.destroyed ?? true);
      };
    });
    await service.drain.run({ lameDuck: 0, drain: 0.01 });
    expect(await ended).toBe(false);
    await busy.closed;
  });
});
