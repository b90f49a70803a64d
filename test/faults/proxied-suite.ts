import { Agent } from 'node:https';
import { connect } from 'node:net';
import { SCOPES } from '../../src/api/access/access';
import { ApplicationsRepository } from '../../src/oauth/applications.repository';
import { ApplicationsService } from '../../src/oauth/applications.service';
import { type CallersService } from '../../src/oauth/callers.service';
import { OauthRepository } from '../../src/oauth/oauth.repository';
import { until } from '../e2e/process/programs';
import { Factories } from '../factories/factories';
import { atScale, figure, FULL_SCALE } from '../figures';
import { Proxied, type ProxyProgram } from './proxied';
import { defineCrowdTests } from './proxied-crowds';
import { startClosingServers } from './closing-servers';
import { agentAt, ProxiedLoad, send, type Outcome, type Sent } from './proxied-load';

/** Requests of the rolling restart; it goes on until all servers were restarted. */
const REQUESTS = atScale(10_000, 300);
const CLIENTS = 20;
/** Calls of an address an hour: more than are made. */
const LIMIT = 1_000_000;
const MINUTES = 60_000;

const LARGE_HEADERS = `X: ${'x'.repeat(30_000)}\r\n`.repeat(10);

/** Sends a text over a connection of its own. @returns what comes back until its end */
async function sendText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (data: string) => (received += data));
  // Closing with unread data resets the connection.
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

/** Declares the tests that a shipped configuration of a proxy must pass. */
export function defineProxySuite(program: ProxyProgram, lameDuckSeconds: number): void {
  let proxied: Proxied;
  let book: number;
  let user: number;
  let token: string;
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

  beforeAll(async () => {
    proxied = await Proxied.open(program, {
      LAME_DUCK_SECONDS: String(lameDuckSeconds),
      REQUIRE_HTTPS: 'true',
      CAPTCHA_AFTER: '0',
      LIMIT_ANONYMOUS: String(LIMIT),
    });
    const { database } = proxied.opened;
    const make = new Factories(database);
    book = await make.aBook();
    ({ id: user } = await make.aUser());
    const applications = new ApplicationsService(
      database,
      new ApplicationsRepository(database),
      new OauthRepository(database),
      // Only revoking tells the callers that are remembered, which are other processes' here.
      undefined as unknown as CallersService,
    );
    const { clientId } = await applications.create({ name: 'load', scopes: SCOPES });
    token = await applications.issue({ clientId, userId: user, scopes: SCOPES, ttl: 3600 });
    await Promise.all([0, 1, 2].map((at) => proxied.start(at)));
    await until(async () => (await get('/healthz')).status === 200);
  }, 2 * MINUTES);
  afterAll(async () => {
    agent.destroy();
    await (proxied as Proxied | undefined)?.close();
  });

  const get = (path: string, sent: Sent = {}): Promise<Outcome> =>
    send(agent, proxied.places.https, path, sent);

  it('a token is accepted over HTTPS, which the proxy terminates, and rejected over plain HTTP', async () => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-Proto': 'https' };
    const plain = await fetch(`http://127.0.0.1:${proxied.places.http}/v2/book/${book}`, {
      headers,
    });
    expect([plain.status, await plain.json()]).toMatchObject([400, { code: 100 }]);
    expect((await get(`/v2/book/${book}`, { headers })).status).toBe(200);
  });

  it('the client address is that of the proxy, with any header of the client', async () => {
    const remaining: number[] = [];
    for (let at = 1; at <= 7; at += 1) {
      const spoofed = { 'X-Forwarded-For': `192.0.2.${at}` };
      const { headers } = await get(`/v2/book/${book}`, { headers: spoofed });
      remaining.push(Number(headers['x-ratelimit-remaining']));
    }
    // Each server has its own counters: of seven requests of an address, one of three servers gets
    // three.
    expect(Math.min(...remaining)).toBeLessThanOrEqual(LIMIT - 3);
  });

  defineCrowdTests(program, () => ({ proxied, book, token, get }));

  it('no request makes the headers of a response too long, so that servers count as failed', async () => {
    const names = 'x'.repeat(1000);
    // Node's client reads headers of up to 16 KB.
    const long = '%22'.repeat(1500);
    const preflight = (length: number) => ({
      method: 'OPTIONS',
      headers: {
        Origin: 'https://example.com',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': names.repeat(length),
      },
    });
    const statuses: (number | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const [path, options] of [
        [`/v2/book/${book}`, preflight(1)],
        [`/v2/book/${book}`, preflight(50)],
        [`/service/language?to=en&return_to=/${'%22'.repeat(15_000)}`, {}],
        [`/service/developer/applications/${long}`, {}],
        [`/service/developer/applications/${'1'.repeat(60_000)}/logo`, {}],
        [`/admin/users?q=${'%22'.repeat(15_000)}`, {}],
        [`/v2/book/user_tags/${'1'.repeat(60_000)}`, {}],
      ] as const) {
        statuses.push((await get(path, options)).status);
      }
    }
    expect(new Set(statuses)).toEqual(new Set([204, 303, 403]));
    expect((await get(`/v2/book/${book}`)).status).toBe(200);
  });

  it('long queries are passed on, and large bodies are rejected', async () => {
    const query = encodeURIComponent('书'.repeat(5000));
    expect((await get(`/v2/book/search?q=${query}`)).status).toBe(200);
    // The body begins, and the response comes before its end.
    const once = new Agent({ rejectUnauthorized: false });
    const sent = await send(once, proxied.places.https, `/v2/book/${book}/annotations?x=y`, {
      method: 'POST',
      headers: { 'Content-Length': String(65 * 1024 * 1024) },
      body: 'x'.repeat(200_000),
    });
    // Without a token, the service refuses a body of any size before it is complete.
    const large = {
      headers: {
        'Content-Length': String(60 * 1024 * 1024),
        'Content-Type': 'multipart/form-data; boundary=b',
      },
      body: 'x'.repeat(200_000),
    };
    const annotations = `/v2/book/${book}/annotations`;
    const [anonymous, read] = await Promise.all(
      ['POST', 'GET'].map((method) =>
        send(once, proxied.places.https, annotations, { method, ...large }),
      ),
    );
    once.destroy();
    expect([anonymous?.status, JSON.parse(anonymous?.body ?? '')]).toMatchObject([
      403,
      { code: 1000 },
    ]);
    expect(read?.status).toBe(200);
    expect(sent.status).toBe(400);
    expect(JSON.parse(sent.body)).toEqual({
      msg: 'unknow_v2_error',
      code: 999,
      request: `POST /v2/book/${book}/annotations`,
    });
    expect(sent.headers['x-error-detail']).toBe('the body is too large');
  });

  it.each([
    ['without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['that are not HTTP', 'GET / / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['with headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\n${LARGE_HEADERS}\r\n`],
    ['with a line that is too long', `GET /${'x'.repeat(80_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['with an unknown encoding', 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: y\r\n\r\n'],
  ])('requests %s are rejected, in the format of the service if possible', async (_name, text) => {
    const response = await sendText(proxied.places.http, text);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    if (program.hasOwnRefusals) return;
    const [headers = '', body = ''] = response.split('\r\n\r\n');
    expect(headers).toMatch(/^content-type: application\/json/im);
    expect(JSON.parse(body)).toMatchObject({ msg: 'unknow_v2_error', code: 999 });
  });

  it.each([
    ['GET', '/proxy/invalid-request', 404, 1001],
    ['TRACE', '/v2/loc/list', 400, 1014],
  ])('%s %s has an error of the service', async (method, path, status, code) => {
    const outcome = await get(path, { method });
    expect([outcome.status, JSON.parse(outcome.body)]).toMatchObject([
      status,
      { code, request: `${method} ${path}` },
    ]);
  });

  it('a request of HTTP/1.0 without Host is answered', async () => {
    const response = await sendText(proxied.places.http, 'GET /healthz HTTP/1.0\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.[01] 200 /);
  });

  it(
    'a rolling restart of three servers under load fails no request',
    async () => {
      const load = new ProxiedLoad(proxied.places.https, book, token, CLIENTS);
      const before = proxied.servers.map(({ program: { child } }) => child.pid);
      try {
        for (const at of [0, 1, 2]) {
          expect(await proxied.stop(at)).toMatchObject({ code: 0, signal: null, stderr: '' });
          await proxied.start(at);
          // The proxy sees it meanwhile, before the next one stops.
          await load.more(REQUESTS / 6);
        }
        await load.more(Math.max(0, REQUESTS - load.requests));
      } finally {
        await load.stop();
      }
      const after = proxied.servers.map(({ program: { child } }) => child.pid);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);

      figure(`requests through ${program.config} while servers restart`, load.requests, {
        atMost: Infinity,
      });
      figure(`of them failed`, load.failures.length, { atMost: 0 });
      expect(load.failures).toEqual([]);
      const stored = await proxied.opened.source.query<{ content: string }[]>(
        'SELECT content FROM annotations WHERE user_id = $1',
        [user],
      );
      expect(stored.map(({ content }) => content).sort()).toEqual([...load.acknowledged].sort());
    },
    (FULL_SCALE ? 10 : 4) * MINUTES,
  );

  it(
    'without a server the proxy responds in the format of the service',
    async () => {
      await Promise.all([0, 1, 2].map((at) => proxied.stop(at)));
      const { status, body, headers } = await get(`/v2/book/${book}?x=y`);
      expect(status).toBe(503);
      expect(JSON.parse(body)).toEqual({
        msg: 'unknow_v2_error',
        code: 999,
        request: `GET /v2/book/${book}`,
      });
      expect(headers['retry-after']).toBe('2');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    },
    MINUTES,
  );

  it(
    'a POST that may have arrived is only sent again with an Idempotency-Key, and where it is used',
    async () => {
      const servers = await startClosingServers(proxied.ports);
      // On a connection of its own: HAProxy closes one that had other requests without a response.
      const once = new Agent({ rejectUnauthorized: false });
      const post = (path: string, headers = {}): Promise<Outcome> =>
        send(once, proxied.places.https, path, { method: 'POST', headers, body: 'x' });
      const key = { 'Idempotency-Key': 'key' };
      const paths = ['/service/auth2/token', '/v2/notes', '/v2/book/reviews'] as const;
      try {
        // The proxy leaves servers alone for a time after errors.
        for (const [path, headers] of [
          [paths[0], key],
          [paths[1], {}],
          [paths[2], key],
        ] as const) {
          let round = 0;
          await until(async () => {
            round = (round % 250) + 1;
            const others = agentAt(`127.0.3.${round}`);
            for (let at = 0; at < 9; at += 1) await send(others, proxied.places.https, '/healthz');
            others.destroy();
            return servers.takeResponding() === 3;
          });
          expect((await post(path, headers)).status).toBeGreaterThanOrEqual(502);
        }
        const [token, note, review] = paths.map((path) => servers.arrivals(path));
        expect([token, note]).toEqual([1, 1]);
        expect(review).toBeGreaterThan(1);
      } finally {
        once.destroy();
        await servers.close();
      }
    },
    MINUTES,
  );
}
