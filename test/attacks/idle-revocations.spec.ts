import { CallersService } from '../../src/oauth/callers.service';
import { hashSecret } from '../../src/oauth/tokens';
import { Browser } from '../e2e/oauth/browser';
import { aClient, callAs, standingOf, tokensFor, type TestClient } from '../e2e/oauth/flows';
import { until } from '../e2e/process/programs';
import { startHarness, type Harness } from '../harness';

let harness: Harness;
let browser: Browser;
let client: TestClient;
let forget: jest.SpyInstance;
beforeAll(async () => {
  harness = await startHarness({ settings: { TOKEN_CACHE_SECONDS: '60' } });
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness);
  forget = jest.spyOn(harness.app.get(CallersService, { strict: false }), 'forget');
});
afterAll(() => harness.close());
beforeEach(() => forget.mockClear());

const revoke = async (token: string): Promise<number> =>
  (await callAs(harness, client, '/service/auth2/revoke', { token })).status;

/** Waits until notifications of earlier changes have arrived. */
async function settled(): Promise<void> {
  await harness.source.query(`SELECT pg_notify('callers_changed', 'last')`);
  await until(() => Promise.resolve(forget.mock.calls.some(([digest]) => digest === 'last')));
}

it.each(['cpat_nobody', 'cprt_nobody', 'x'])(
  '200: revoking the unknown token %s invalidates no cached caller',
  async (token) => {
    expect(await revoke(token)).toBe(200);
    await settled();
    expect(forget.mock.calls).toEqual([['last']]);
  },
);

it('200: revoking an access token invalidates the caller of this token only', async () => {
  const { access_token: token } = await tokensFor(harness, browser, client);
  await settled();
  forget.mockClear();
  expect(await revoke(token)).toBe(200);
  await settled();
  const digest = hashSecret(token).toString('hex');
  expect(new Set(forget.mock.calls.flat())).toEqual(new Set([digest, 'last']));
  expect(forget.mock.calls).not.toContainEqual([]);
});

it('200: revoking a token again invalidates no cached caller', async () => {
  const tokens = await tokensFor(harness, browser, client);
  expect(await revoke(tokens.refresh_token)).toBe(200);
  expect(await standingOf(harness, tokens.access_token)).toEqual([401, 103]);
  await settled();
  expect(forget.mock.calls.length).toBeGreaterThan(1);
  forget.mockClear();
  expect(await revoke(tokens.refresh_token)).toBe(200);
  expect(await revoke(tokens.access_token)).toBe(200);
  await settled();
  expect(forget.mock.calls).toEqual([['last']]);
});

it('400: presenting a used refresh token invalidates cached callers only once', async () => {
  const tokens = await tokensFor(harness, browser, client);
  const refresh = () =>
    callAs(harness, client, '/service/auth2/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
  expect((await refresh()).status).toBe(200);
  expect((await refresh()).status).toBe(400);
  await settled();
  expect(forget.mock.calls.length).toBeGreaterThan(1);
  forget.mockClear();
  expect((await refresh()).status).toBe(400);
  await settled();
  expect(forget.mock.calls).toEqual([['last']]);
});

it('303: revoking the access of an application without access invalidates no cached caller', async () => {
  const form_token = await browser.formToken();
  const other = await aClient(harness);
  await settled();
  forget.mockClear();
  const revoked = await browser.post('/service/account/revoke', {
    client_id: other.clientId,
    form_token,
  });
  expect(revoked.status).toBe(303);
  await settled();
  expect(forget.mock.calls).toEqual([['last']]);
});

describe.each(['/service/sign-out', '/service/account/sign-out-everywhere'])('303: %s', (path) => {
  /** Signs a user out with a cookie that names these tokens as given to the browser. */
  async function signOut(user: Browser, tokens: readonly string[]): Promise<void> {
    const hashes = tokens.map((token) => hashSecret(token).toString('base64url'));
    user.plant(hashes.join('!'), 'commonplace_tokens');
    const form_token = await user.formToken();
    await settled();
    forget.mockClear();
    expect((await user.post(path, { form_token })).status).toBe(303);
  }

  it('with tokens that are unknown, revoked or of others, invalidates no cached caller', async () => {
    const user = await new Browser(harness).register(`user${path.length}`);
    const revoked = await tokensFor(harness, user, client);
    expect(await revoke(revoked.access_token)).toBe(200);
    const other = await tokensFor(harness, browser, client);
    await signOut(user, ['cpat_nobody', revoked.access_token, other.access_token]);
    await settled();
    expect(forget.mock.calls).toEqual([['last']]);
    expect(await standingOf(harness, other.access_token)).toBe(200);
  });

  it('with a valid token of the user, invalidates cached callers at once', async () => {
    const user = await new Browser(harness).register(`owner${path.length}`);
    const { access_token: token } = await tokensFor(harness, user, client);
    expect(await standingOf(harness, token)).toBe(200);
    await signOut(user, [token]);
    expect(forget.mock.calls).toContainEqual([]);
    expect(await standingOf(harness, token)).toEqual([401, 103]);
  });
});
