import { DERIVATION_LIMITS, type DerivationQueue } from '../../../src/accounts/derivation-queue';
import { PasswordHasher } from '../../../src/accounts/passwords';
import { unavailable } from '../../../src/api/errors/error-codes';
import { Attempts, type AttemptKey } from '../../../src/oauth/attempts';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { Browser, hiddenFields } from './browser';
import { solvedFields } from './challenges';
import { aClient, AUTH, authorizationOf, callAs, refresh, TOKEN, tokensFor } from './flows';

const REGISTER = '/service/register';
const ACCOUNT = '/service/account';
const SIGN_IN = '/service/sign-in';
const PASSWORD = 'correct horse battery';

/** Behind one proxy, the address of a client is what the proxy says. */
let harness: Harness;
let attempts: Attempts;
beforeAll(async () => {
  const settings = { TRUSTED_PROXIES: '1', CAPTCHA_DIFFICULTY: '300' };
  harness = await startHarness({ settings });
  attempts = harness.app.get(Attempts, { strict: false });
});
afterAll(() => harness.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const used = (...keys: AttemptKey[]): Promise<number[]> =>
  Promise.all(keys.map((key) => attempts.used(key)));

async function idOf(uid: string): Promise<string> {
  const sql = 'SELECT id::text FROM users WHERE uid = $1';
  return (await harness.source.query<{ id: string }[]>(sql, [uid]))[0]?.id ?? '';
}

/** Runs `work` while the queue of password derivations is full for all clients. */
async function whileFull<T>(work: () => Promise<T>): Promise<T> {
  const hasher = harness.app.get(PasswordHasher, { strict: false });
  const { queue } = hasher as unknown as { readonly queue: DerivationQueue };
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { running, waiting } = DERIVATION_LIMITS;
  // One of each address: no other address can displace them.
  const all = Array.from({ length: running + waiting }, (_, at) =>
    queue.run({ address: String(at), trusted: true }, () => released),
  );
  try {
    return await work();
  } finally {
    release();
    await Promise.all(all);
  }
}

/** Sends a request whose transaction finds the database unavailable. */
async function withoutDatabase(send: () => Promise<TestResponse>): Promise<TestResponse> {
  const transaction = jest.spyOn(harness.database, 'transaction');
  transaction.mockRejectedValueOnce(unavailable(undefined));
  const response = await send();
  expect(transaction).toHaveBeenCalledTimes(1);
  transaction.mockRestore();
  return response;
}

describe('an attempt that is rejected with 503 does not count', () => {
  it('at registration', async () => {
    const browser = new Browser(harness);
    const page = hiddenFields((await browser.open(REGISTER)).text);
    const register = (uid: string) =>
      browser.post(REGISTER, { ...page, uid, password: PASSWORD }, from('192.0.2.1'));
    const key: AttemptKey = ['register', '192.0.2.1'];
    const full = await whileFull(() => register('ann'));
    expect([full.status, await used(key)]).toEqual([503, [0]]);
    const down = await withoutDatabase(() => register('ann'));
    expect([down.status, await used(key)]).toEqual([503, [0]]);
    const registered = await register('ann');
    expect([registered.status, await used(key)]).toEqual([303, [1]]);
  });

  it('at a sign-in with a solved challenge', async () => {
    await (await new Browser(harness).register('bob')).signOut();
    while ((await attempts.tryConsume(['user', 'bob'])) === undefined);
    const browser = new Browser(harness);
    const form_token = await browser.formToken();
    const signIn = (fields: Record<string, string>) => {
      const all = { uid: 'bob', password: PASSWORD, form_token, ...fields };
      return browser.post(SIGN_IN, all, from('192.0.2.2'));
    };
    const challenged = solvedFields(await signIn({}));
    const keys: AttemptKey[] = [
      ['challenged', '192.0.2.2'],
      ['userChallenged', 'bob'],
    ];
    const { status } = await whileFull(() => signIn(challenged));
    expect([status, await used(...keys)]).toEqual([503, [0, 0]]);
  });

  it('at a password change', async () => {
    const browser = await new Browser(harness).register('cid');
    const id = await idOf('cid');
    const keys: AttemptKey[] = [
      ['password', `change ${id}`],
      ['passwordChange', id],
    ];
    const fields = { current: PASSWORD, fresh: 'a new password' };
    const change = () => browser.fill(ACCOUNT, `${ACCOUNT}/password`, fields);
    const { status } = await whileFull(change);
    expect([status, await used(...keys)]).toEqual([503, [0, 0]]);
    expect((await change()).status).toBe(303);
  });

  it('at the authorization page and the token endpoint', async () => {
    const browser = await new Browser(harness).register('dan');
    const id = await idOf('dan');
    const client = await aClient(harness);
    const { refresh_token } = await tokensFor(harness, browser, client);
    const keys: AttemptKey[] = [
      ['consents', id],
      ['ownTokens', client.clientId],
      ['refreshes', `${client.clientId} ${id}`],
    ];
    const before = await used(...keys);
    const page = hiddenFields((await browser.open(authorizationOf(client))).text);
    const requests = [
      () => browser.post(AUTH, { ...page, decision: 'allow' }),
      () => callAs(harness, client, TOKEN, { grant_type: 'client_credentials' }),
      () => refresh(harness, client, refresh_token),
    ];
    for (const send of requests) expect((await withoutDatabase(send)).status).toBe(503);
    expect(await used(...keys)).toEqual(before);
    for (const send of requests) expect((await send()).status).toBeLessThan(400);
    expect(await used(...keys)).toEqual(before.map((count) => count + 1));
  });
});
