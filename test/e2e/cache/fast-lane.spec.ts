import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { FastLane } from '../../../src/api/fast-lane/fast-lane';
import { ResponseCache } from '../../../src/api/cache/response-cache';
import { SampleService } from '../../../src/sample/sample.service';
import { atScale } from '../../figures';
import { startHarness, type Harness } from '../../harness';
import { fuzzRequests, type FuzzRequest, type Paths } from '../api/fuzz.requests';
import { until } from '../process/programs';
import { startSecond, type SecondServer } from './second-server';

const SETTINGS = { TOKEN_CACHE_SECONDS: '5', LIMIT_USER_L1: '100000', LIMIT_ADDRESS: '200000' };
const REQUESTS = atScale(20_000, 1200);
/** The same requests in the same order on both sides, so that their counters agree. */
const AT_ONCE = 8;

/** What differs between two requests at different moments. */
const OF_THE_MOMENT = ['date', 'ratelimit', 'x-request-id'];

/** Routes with other bodies at each request. */
const OF_THE_CALLER = ['/v2/captcha', '/v2/rate_limit'];

/** Addresses whose responses are kept, in every form. */
const KEPT = [
  ...['/v2/book/1', '/v2/book/2?fields=title,id', '/v2/book/007', '/v2/book/1/'],
  ...['/v2/movie/subject/1001', '/v2/movie/top250?start=3&count=5', '/v2/movie/us_box'],
  ...['/v2/event/1', '/v2/event/2/participants?count=3', '/v2/movie/celebrity/2001'],
  ...[
    '/v2/book/1?callback=cb',
    '/v2/movie/subject/1001?callback=cb&unknown=1',
    '/v2/book/1?fields=x',
  ],
];

interface Sent {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let harness: Harness;
let express: SecondServer;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
beforeAll(async () => {
  harness = await startHarness({ settings: { ...SETTINGS, CACHE_MB: '64' } });
  await harness.app.get(SampleService, { strict: false }).load();
  express = await startSecond(harness, SETTINGS);
  express.app.get(FastLane, { strict: false }).isOpen = () => false;
});
afterAll(async () => {
  agent.destroy();
  await express.close();
  await harness.close();
});

function send(
  origin: string,
  { path, headers }: Pick<FuzzRequest, 'path' | 'headers'>,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    request(origin + path, { headers, agent }, (response) => {
      const kept = Object.entries(response.headers).filter(
        ([name]) => !OF_THE_MOMENT.includes(name),
      );
      const { statusCode: status } = response;
      buffer(response).then((bytes) => {
        // The order of fields with different names has no meaning.
        const headers = Object.fromEntries(kept.sort());
        resolve({ status, headers, body: bytes.toString('base64') });
      }, reject);
    })
      .on('error', reject)
      .end();
  });
}

async function generated(): Promise<Pick<FuzzRequest, 'path' | 'headers'>[]> {
  const [{ client_id: apikey }] = await harness.source.query(
    'SELECT client_id FROM applications ORDER BY id LIMIT 1',
  );
  const sample = harness.app.get(SampleService, { strict: false });
  const tokens = [
    String(await sample.issueToken()),
    await harness.token(),
    await harness.token({ scopes: ['movie_basic_r'] }),
    await harness.token({ approved: [] }),
    await harness.token({ ttl: -1 }),
    'unknown',
  ];
  const { body } = await harness.call('/v2/openapi.json');
  const known = { tokens, apikey, names: ['linmo', '1', '3'] };
  const seed = jest.getSeed();
  const random = fc
    .sample(fuzzRequests((body as { paths: Paths }).paths, known), { seed, numRuns: REQUESTS * 4 })
    .filter(({ method, template }) => method === 'GET' && !OF_THE_CALLER.includes(template));
  const encodings = ['br', 'gzip;q=0.5', 'identity', '', 'br;q=0, gzip'];
  const kept = fc.sample(
    fc.record({
      path: fc.constantFrom(...KEPT),
      headers: fc.record({
        'accept-encoding': fc.constantFrom(...encodings),
        accept: fc.constantFrom('*/*', 'application/problem+json', 'text/html'),
        authorization: fc.constantFrom('', ...tokens.map((token) => `Bearer ${token}`)),
        'if-none-match': fc.constantFrom('', '*', '"x"'),
      }),
    }),
    { seed, numRuns: Math.ceil(REQUESTS / 3) },
  );
  return [...random.slice(0, REQUESTS - kept.length), ...kept];
}

/** The members that differ. */
function different(fast: Sent, slow: Sent): Record<string, unknown> {
  const names = [...new Set([...Object.keys(fast.headers), ...Object.keys(slow.headers)])];
  const headers = names
    .filter((name) => String(fast.headers[name]) !== String(slow.headers[name]))
    .map((name) => [name, fast.headers[name], slow.headers[name]]);
  const bodies = [fast, slow].map(({ body }) =>
    Buffer.from(body, 'base64').toString().slice(0, 200),
  );
  return { status: [fast.status, slow.status], headers, bodies };
}

it('the fast lane answers every GET as Express does: status, headers, bytes', async () => {
  const all = await generated();
  const differences: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let next = all.pop(); next; next = all.pop()) {
      const headers = { ...next.headers, 'x-request-id': 'same' };
      const [fast, slow] = [
        await send(harness.origin, { path: next.path, headers }),
        await send(express.origin, { path: next.path, headers }),
      ];
      // The counters of requests that are sent at once differ in their order only.
      for (const { headers: counted } of [fast, slow])
        for (const name of Object.keys(counted))
          if (name.startsWith('x-ratelimit-remaining'))
            counted[name] = String(counted[name] !== '0');
      if (JSON.stringify(fast) !== JSON.stringify(slow))
        differences.push({ next, ...different(fast, slow) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(differences.slice(0, 5)).toEqual([]);
  const { hits } = harness.app.get(ResponseCache, { strict: false }).statistics;
  expect(hits).toBeGreaterThan(0);
});

it('all compared addresses have responses in memory', async () => {
  const cache = harness.app.get(ResponseCache, { strict: false });
  const headers = { authorization: `Bearer ${await harness.token()}` };
  for (const path of KEPT) {
    await until(async () => {
      const before = cache.statistics.hits;
      await send(harness.origin, { path, headers });
      return cache.statistics.hits > before;
    });
  }
});
