import { once } from 'node:events';
import { type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { makeServer } from './servers';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const HEAD = 'POST /early HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n';
const SETTINGS = {
  MAX_CONNECTIONS: 100,
  KEEP_ALIVE_SECONDS: 60,
  HEADER_SECONDS: 60,
  REQUEST_SECONDS: 60,
};

let server: Server;
let requests: WeakRef<IncomingMessage>[];
let connections: Socket[];
beforeEach(async () => {
  requests = [];
  connections = [];
  server = makeServer((request, response) => {
    requests.push(new WeakRef(request));
    connections.push(request.socket);
    if (request.url === '/late') request.resume().once('end', () => response.end('done'));
    else response.end('done');
  }, SETTINGS);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a request whose body is missing, and reads its response. */
async function sendHead(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(HEAD);
  await once(client, 'data');
  return client;
}

/** Waits until a request is freed; fails by the time limit of the test. */
async function freed(request: WeakRef<IncomingMessage> | undefined): Promise<void> {
  do {
    // A WeakRef keeps its target until the end of the turn.
    await new Promise(setImmediate);
    collectGarbage();
  } while (request?.deref());
}

describe('a request whose response came before its body', () => {
  // The time in which the rest of a body may arrive does not end.
  beforeEach(() =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }),
  );
  afterEach(() => jest.useRealTimers());

  it('is freed when its connection closes', async () => {
    const client = await sendHead();
    client.destroy();
    await freed(requests[0]);
    expect(requests).toHaveLength(1);
  });

  it('is freed when its body is complete, which ends its connection', async () => {
    const client = await sendHead();
    client.resume().write('x'.repeat(10));
    await once(client, 'end');
    await freed(requests[0]);
    expect(connections[0]?.destroyed).toBe(true);
  });

  it('has the last response of its connection, whose client may send the rest of the body', async () => {
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(HEAD);
    const [response] = (await once(client, 'data')) as [Buffer];
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/);
    await once(client, 'end');
    let received = '';
    client.on('data', (data) => (received += String(data)));
    // The parser reads the first ten bytes as the body.
    client.write('GET / HTTPGET /next HTTP/1.1\r\nHost: test\r\n\r\n');
    await once(connections[0] as Socket, 'close');
    client.destroy();
    expect([received, requests.length]).toEqual(['', 1]);
  });
});

it.each(['/early', '/late'])(
  'the connection of a body that arrives with its head stays open: %s',
  async (path) => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write(HEAD.replace('/early', path) + 'x'.repeat(10));
    const [response] = (await once(client, 'data')) as [Buffer];
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: keep-alive\r\n/);
    client.destroy();
  },
);
