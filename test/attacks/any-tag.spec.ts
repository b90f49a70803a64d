import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';

const LIMIT = 20;

let harness: Harness;
let path: string;
let token: string;
beforeAll(async () => {
  harness = await startHarness({ settings: { LIMIT_USER_L1: String(LIMIT) } });
  const make = new Factories(harness.database);
  path = `/v2/book/${await make.aBook()}`;
  token = await harness.token({ userId: (await make.aUser()).id });
});
afterAll(() => harness.close());

it('429: If-None-Match: * reads no more than the limit of the user (D47)', async () => {
  const headers = { 'if-none-match': '*' };
  const statuses: number[] = [];
  for (let at = 0; at <= LIMIT; at += 1) {
    const method = at % 2 === 0 ? 'GET' : 'HEAD';
    statuses.push((await harness.call(path, { method, token, headers })).status);
  }
  expect(statuses).toEqual([...Array<number>(LIMIT).fill(304), 429]);
});
