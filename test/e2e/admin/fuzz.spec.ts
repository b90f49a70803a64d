import { Agent } from 'node:http';
import fc from 'fast-check';
import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';
import { ResponseChecker, send } from '../api/fuzz.responses';
import { fuzzRequests, type FuzzRequest, type Paths } from '../api/fuzz.requests';
import { anAdministrator } from './administrators';

/** Printed with the faults; the same seed makes the same requests. */
const SEED = 20140501;
const REQUESTS = 1500;
const AT_ONCE = 10;

describe('random requests of an administrator', () => {
  let harness: Harness;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  beforeAll(async () => {
    harness = await startHarness();
    await harness.app.get(SampleService, { strict: false }).load();
  });
  afterAll(async () => {
    agent.destroy();
    await harness.close();
  });

  it('get a response that the OpenAPI document describes, and never 500', async () => {
    const { token } = await anAdministrator(harness);
    const { body } = await harness.call('/admin/v1/openapi.json');
    const { paths } = body as { paths: Paths };
    const known = { tokens: [token], apikey: '', names: ['linmo', '1', '3', 'top250'] };
    const checker = new ResponseChecker(body as { paths: Paths });
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    const left = fc.sample(fuzzRequests(paths, known), { seed: SEED, numRuns: REQUESTS });
    const work = async (): Promise<void> => {
      for (let fuzz = left.pop(); fuzz; fuzz = left.pop()) {
        const headers = { ...fuzz.headers, authorization: `Bearer ${token}` };
        const request: FuzzRequest = { ...fuzz, headers };
        const response = await send(harness.origin, agent, request);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const fault = checker.faultOf(request, response);
        if (fault !== undefined) {
          faults.push(`${fault}: ${fuzz.method} ${fuzz.path} -> ${response.text.slice(0, 200)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
    const count = (status: number) => statuses.get(status) ?? 0;
    for (const status of [200, 400, 404]) expect(count(status)).toBeGreaterThan(REQUESTS / 50);
  });
});
