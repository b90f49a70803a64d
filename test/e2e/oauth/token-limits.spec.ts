import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Browser, hiddenFields } from './browser';
import {
  aClient,
  AUTH,
  authorizationOf,
  callAs,
  refresh,
  refused,
  TOKEN,
  tokensFor,
  type TestClient,
} from './flows';

/** Maximum number of each in an hour (D118). */
const MAX = 300;
/** Fewer than the service queues on a busy machine. */
const AT_ONCE = 50;

let harness: Harness;
let client: TestClient;
let browser: Browser;
beforeAll(async () => {
  harness = await startHarness();
  client = await aClient(harness);
  browser = await new Browser(harness).register('ann');
});
afterAll(() => harness.close());

function expectToWait({ status, headers, body }: TestResponse): void {
  expect([status, body]).toEqual([
    429,
    refused('temporarily_unavailable', 111, 'rate_limit_exceeded1'),
  ]);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

it(`an application gets ${MAX} tokens of its own`, async () => {
  const ask = (by: TestClient) => callAs(harness, by, TOKEN, { grant_type: 'client_credentials' });
  for (let sent = 0; sent < MAX; sent += AT_ONCE) {
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(client)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  }
  expectToWait(await ask(client));
  expect((await ask(await aClient(harness))).status).toBe(200);
});

it(`an application refreshes the tokens of a user ${MAX} times, and keeps the last one`, async () => {
  let { refresh_token } = await tokensFor(harness, browser, client);
  for (let time = 1; time <= MAX; time += 1) {
    const { status, body } = await refresh(harness, client, refresh_token);
    expect(status).toBe(200);
    refresh_token = String(body.refresh_token);
  }
  expectToWait(await refresh(harness, client, refresh_token));
  const introspected = await callAs(harness, client, '/service/auth2/introspect', {
    token: refresh_token,
  });
  expect(introspected.body.active).toBe(true);
  const bob = await new Browser(harness).register('bob');
  const ofBob = await tokensFor(harness, bob, client);
  expect((await refresh(harness, client, ofBob.refresh_token)).status).toBe(200);
});

it(`a user allows access ${MAX} times`, async () => {
  const eve = await new Browser(harness).register('eve');
  const form = hiddenFields((await eve.open(authorizationOf(client))).text);
  const allow = () => eve.post(AUTH, { ...form, decision: 'allow' }, { accept: '*/*' });
  for (let time = 1; time <= MAX; time += 1) expect((await allow()).status).toBe(303);
  expect((await allow()).status).toBe(429);
});
