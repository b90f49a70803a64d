import { once } from 'node:events';
import { connect } from 'node:net';
import { startHarness, type Harness } from '../../harness';
import { bytesOf, sendBytes } from './bytes';
import { BodiesController } from './probe.bodies';
import { probing } from './probe.module';

/** Header lines beside the two of `bytesOf`. */
const headers = (count: number): string =>
  Array.from({ length: count }, (_, at) => `X${at}: ${at}`).join('\r\n');

describe('malformed HTTP requests (D5)', () => {
  let harness: Harness;
  let token: string;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(BodiesController) });
    token = await harness.token();
  });
  afterAll(() => harness.close());

  const expectRefusal = (response: string, status = '400 Bad Request'): void => {
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(head).toMatch(/\r\nContent-Type: application\/json; charset=utf-8(\r\n|$)/);
    expect(JSON.parse(body)).toEqual({
      msg: 'unknow_v2_error',
      code: 999,
      request: expect.any(String),
    });
  };

  it.each([
    ['nonsense', 'NONSENSE\r\n\r\n'],
    ['a path with a control character', bytesOf('GET /v2/probe/\u0001')],
    ['a query with a control character', bytesOf('GET /v2/probe/writes?title=围\u007f城')],
    [
      'a long path that is cut between two surrogates',
      bytesOf(`GET /${'a'.repeat(1998)}${'\u{1f600}'.repeat(2)}\u0001`),
    ],
    ['a header without a colon', bytesOf('GET /v2/probe/writes', 'nonsense')],
    ['a header that is endless', bytesOf('GET /v2/probe/writes', `X: ${'x'.repeat(200_000)}`)],
    ['101 headers', bytesOf('GET /healthz', headers(99))],
    ['no Host', 'GET /v2/probe/writes HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', bytesOf('GET /v2/probe/writes', 'host: other')],
    ['an invalid Host', 'GET /v2/probe/writes HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['HTTP/0.9', 'GET /healthz HTTP/0.9\r\nConnection: close\r\n\r\n'],
    [
      'a transfer coding in HTTP/1.0',
      'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length that is none', bytesOf('POST /v2/probe/loose', 'Content-Length: many')],
  ])('%s: 400, code 999', async (_, bytes) => {
    expectRefusal(await sendBytes(harness.origin, bytes));
  });

  it.each(['gzip, chunked', 'identity, chunked'])(
    'the transfer coding "%s": 501, code 999',
    async (coding) => {
      const head = bytesOf('POST /v2/probe/loose', `Transfer-Encoding: ${coding}`);
      expectRefusal(await sendBytes(harness.origin, `${head}0\r\n\r\n`), '501 Not Implemented');
    },
  );

  it('a request may have 100 headers', async () => {
    const response = await sendBytes(harness.origin, bytesOf('GET /healthz', headers(98)));
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a query may have 1,000 parameters, and more are refused', async () => {
    const get = (count: number): Promise<string> => {
      const names = Array.from({ length: count }, (_, at) => at.toString(36));
      return sendBytes(harness.origin, bytesOf(`GET /v2/nothing?${names.join('&')}`));
    };
    expect(await get(1000)).toMatch(/^HTTP\/1\.1 404 /);
    const refused = await get(1001);
    expectRefusal(refused, '400 Bad Request');
    expect(refused).toContain('X-Error-Detail: the query has more than 1000 parameters');
  });

  it('a response names the path as it was sent', async () => {
    const bytes = 'GET /%e4%25 HTTP/1.1\r\nConnection: close\r\n\r\n';
    const [, body = ''] = (await sendBytes(harness.origin, bytes)).split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ request: 'GET /%e4%25' });
  });

  it.each(['[::1]', '[::1]:80', 'example.com:443', 'a_b', ''])(
    'the Host "%s" is valid',
    async (host) => {
      const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await sendBytes(harness.origin, bytes)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('malformed data after a complete request does not replace its response', async () => {
    const parameters = 'title=title&content=sixteen+letters.';
    const head = bytesOf(
      'POST /v2/probe/loose',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${parameters.length}`,
    ).replace('Connection: close\r\n', '');
    const response = await sendBytes(harness.origin, `${head}${parameters}BAD\0`);
    expect(response.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(response).toMatch(/\r\nConnection: close\r\n/);
  });

  it.each([
    ['complete requests', '', 400],
    ['a request that ends the connection', 'Connection: close\r\n', undefined],
  ])('malformed data after %s: their responses, then the error', async (_, line, last) => {
    const open = bytesOf('GET /healthz').replace('Connection: close\r\n', '');
    const newest = open.replace('Host: ', `${line}Host: `);
    const response = await sendBytes(harness.origin, `${open}${open}${newest}BAD\0`);
    const statuses = [...response.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, found]) =>
      Number(found),
    );
    expect(statuses).toEqual([200, 200, 200, last].filter((status) => status !== undefined));
    if (last) expectRefusal(response.slice(response.lastIndexOf('HTTP/1.1')));
  });

  it('a body with malformed chunks: 400, code 999', async () => {
    const head = bytesOf(
      'POST /v2/probe/loose',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Transfer-Encoding: chunked',
    );
    expectRefusal(await sendBytes(harness.origin, `${head}ZZ\r\nnote=a\r\n0\r\n\r\n`));
  });

  it('data after a request that ends its connection does not replace its response', async () => {
    const later = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const response = await sendBytes(harness.origin, bytesOf('GET /v2/probe/none') + later);
    expect(response.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404']);
  });

  it.each([
    ['is cut off', 'Content-Length: 50', 'note=a'],
    ['is cut off in a chunk', 'Transfer-Encoding: chunked', '32\r\nnote=a'],
    ['has malformed chunks', 'Transfer-Encoding: chunked', 'ZZ\r\nnote=a'],
  ])('a body that %s gets no second response after an early one', async (_, length, body) => {
    const { hostname, port } = new URL(harness.origin);
    const socket = connect(Number(port), hostname);
    socket.write(bytesOf('POST /v2/probe/none', length).replace('Connection: close\r\n', ''));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'data');
    socket.end(body);
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 404']);
  });

  it('a long query is accepted: 200', async () => {
    const title = '围'.repeat(5000);
    const query = new URLSearchParams({ title, content: 'sixteen letters.' }).toString();
    const { status, body } = await harness.call(`/v2/probe/writes?${query}`);
    expect([status, body.title]).toEqual([200, title]);
  });

  it('a request of HTTP/1.0 needs no Host, and an unknown expectation is ignored: 404', async () => {
    const old = await sendBytes(harness.origin, 'GET /v2/probe/none HTTP/1.0\r\n\r\n');
    const expecting = bytesOf('GET /v2/probe/none', 'Expect: a-miracle');
    for (const response of [old, await sendBytes(harness.origin, expecting)]) {
      expect(response).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it('later requests are served', async () => {
    expect(await sendBytes(harness.origin, bytesOf('GET /healthz/'))).toMatch(/^HTTP\/1\.1 404 /);
  });
});
