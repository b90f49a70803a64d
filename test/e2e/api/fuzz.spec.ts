import { Agent } from 'node:http';
import fc from 'fast-check';
import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';
import { ResponseChecker, send } from './fuzz.responses';
import { fuzzRequests, type FuzzRequest, type Known, type Paths } from './fuzz.requests';

/** Printed with the faults; the same seed makes the same requests. */
const SEED = 20131225;
const REQUESTS = 4000;
const AT_ONCE = 20;

const described = ({ method, path, headers }: FuzzRequest, fault: string, text: string): string =>
  `${fault}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} -> ${text.slice(0, 200)}`;

describe('random requests', () => {
  let harness: Harness;
  let known: Known;
  let paths: Paths;
  let checker: ResponseChecker;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  beforeAll(async () => {
    harness = await startHarness({ settings: { TOKEN_CACHE_SECONDS: '5' } });
    const sample = harness.app.get(SampleService, { strict: false });
    await sample.load();
    const [{ client_id: apikey }] = await harness.source.query(
      'SELECT client_id FROM applications ORDER BY id LIMIT 1',
    );
    const tokens = [
      String(await sample.issueToken()),
      await harness.token(),
      await harness.token({ scopes: ['movie_basic_r'] }),
      await harness.token({ ttl: -1 }),
    ];
    known = { tokens, apikey, names: ['linmo', '1', '3'] };
    const { body } = await harness.call('/v2/openapi.json');
    ({ paths } = body as { paths: Paths });
    checker = new ResponseChecker(body as { paths: Paths });
  });
  afterAll(async () => {
    agent.destroy();
    await harness.close();
  });

  it('get a response that the OpenAPI document describes, and never 500', async () => {
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    const left = fc.sample(fuzzRequests(paths, known), { seed: SEED, numRuns: REQUESTS });
    const work = async (): Promise<void> => {
      for (let fuzz = left.pop(); fuzz; fuzz = left.pop()) {
        const response = await send(harness.origin, agent, fuzz);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const fault = checker.faultOf(fuzz, response);
        if (fault !== undefined) faults.push(described(fuzz, fault, response.text));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
    // The requests are not all refused alike.
    const count = (status: number) => statuses.get(status) ?? 0;
    const all = [...statuses.values()].reduce((sum, times) => sum + times, 0);
    expect(all).toBe(REQUESTS);
    expect(count(200)).toBeGreaterThan(all / 20);
    for (const status of [400, 401, 403, 404]) expect(count(status)).toBeGreaterThan(all / 100);
  });
});
