import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { API_HEADERS, CORS_HEADERS, removeSecurityHeaders } from '../http/security-headers';
import { ResponseHead } from './response-head';

const BODY = JSON.stringify({ title: '三体' });
const OCTETS = Buffer.from(BODY).toString('latin1');

/** `/node` is written by Node, `/head` by a {@link ResponseHead}; both wait when the query says so. */
const server = createServer((request, response) => {
  const [path, wait] = (request.url ?? '').split('?');
  const status = request.headers['if-none-match'] === undefined ? 200 : 304;
  const body = status === 304 ? '' : OCTETS;
  const head = new ResponseHead(response);
  head.setHeader('X-Request-Id', 'one');
  if (body !== '') head.setHeader('Content-Length', body.length);
  const respond = (): void => {
    if (path === '/head' && head.send(status, body)) return;
    response.setHeader('X-Node', 'true');
    response.statusCode = status;
    head.apply();
    if (status === 304) removeSecurityHeaders(response);
    response.end(body, 'latin1');
  };
  if (wait === undefined) respond();
  else setTimeout(respond, 20);
});

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

/** What a server sends on one connection until it closes it. */
async function exchange(...requests: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(requests.map((lines) => `${lines}\r\nHost: test\r\n\r\n`).join(''));
  return (await text(socket)).replace(/^Date: .*$/gm, 'Date: now');
}

const CLOSE = 'GET /node HTTP/1.1\r\nConnection: close';

/** The same response in the order in which Node writes it. */
const sorted = (received: string): string[] => received.split('\r\n').sort();

it.each(['', '\r\nIf-None-Match: "x"', '\r\nConnection: keep-alive'])(
  'sends the status, fields and bytes that Node would send (%j)',
  async (more) => {
    const [own, other] = [
      await exchange(`GET /head HTTP/1.1${more}`, CLOSE),
      await exchange(`GET /node HTTP/1.1${more}`, CLOSE),
    ];
    expect(sorted(own)).toEqual(sorted(other.replace('X-Node: true\r\n', '')));
    const headers = own.includes(' 304 ') ? CORS_HEADERS : API_HEADERS;
    for (const [name, value] of headers) expect(own).toContain(`\r\n${name}: ${value}\r\n`);
  },
);

it('keeps the order of pipelined requests', async () => {
  const received = await exchange(
    'GET /node?wait HTTP/1.1',
    'GET /head HTTP/1.1',
    'GET /head?wait HTTP/1.1',
    'GET /head HTTP/1.1\r\nIf-None-Match: "x"',
    CLOSE,
  );
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/g)];
  const isNode = statuses.map(([head, status]) => [status, head.includes('X-Node')]);
  expect(isNode).toEqual([
    ['200', true],
    ['200', false],
    ['200', false],
    ['304', false],
    ['200', true],
  ]);
  expect(received.split(BODY)).toHaveLength(5);
});

it.each(['GET /head HTTP/1.1\r\nConnection: close', 'GET /head HTTP/1.0'])(
  'leaves connections that end to Node: %j',
  async (request) => {
    const received = await exchange(request);
    expect(received).toContain('X-Node: true');
    expect(received).toContain('Connection: close');
    expect(received.endsWith(BODY)).toBe(true);
  },
);
