import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Browser } from './browser';
import { aClient, callAs, refused, TOKEN } from './flows';

/** Behind one proxy, the address of a client is what the proxy says. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ settings: { TRUSTED_PROXIES: '1' } });
});
afterAll(() => harness.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

/** A refusal that says how long to wait. */
function expectToWait({ status, headers }: TestResponse): void {
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

describe('password guessing', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await new Browser(harness).register('ann');
    await browser.signOut();
  });

  /** From a browser that nobody has signed in with. */
  const guess = async (uid: string, password: string, address: string) => {
    browser.forget('commonplace_device');
    const form_token = await browser.formToken();
    return browser.post('/service/sign-in', { uid, password, form_token }, from(address));
  };

  it('is stopped after five attempts from one address, also with the correct password', async () => {
    for (let time = 1; time <= 5; time += 1) {
      expect((await guess('ann', `guess ${time}`, '192.0.2.1')).status).toBe(403);
    }
    const { status, text, headers } = await guess('ann', 'guess 6', '192.0.2.1');
    expectToWait({ status, text, headers, body: undefined });
    expect(text).toContain('Too many attempts.');
    expectToWait(await guess('ann', 'correct horse battery', '192.0.2.1'));
  });

  it('does not lock out other addresses and other users', async () => {
    expect((await guess('bob', 'guess', '192.0.2.1')).status).toBe(403);
    expect((await guess('ann', 'correct horse battery', '192.0.2.2')).status).toBe(303);
  });

  it('is also limited for concurrent attempts', async () => {
    await browser.signOut();
    browser.forget('commonplace_device');
    const form_token = await browser.formToken();
    const attempts = Array.from({ length: 8 }, (_, at) =>
      browser.post(
        '/service/sign-in',
        { uid: 'ann', password: `guess ${at}`, form_token },
        from('192.0.2.3'),
      ),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
  });

  it('counts IPv6 addresses by /64', async () => {
    for (let time = 1; time <= 5; time += 1) {
      expect((await guess('ann', `guess ${time}`, `2001:db8::${time}`)).status).toBe(403);
    }
    expectToWait(await guess('ann', 'guess', '2001:db8::ffff:1'));
  });

  it('is also limited on the account page', async () => {
    const own = await new Browser(harness).register('owner');
    const change = (current: string) =>
      own.fill('/service/account', '/service/account/password', {
        current,
        fresh: 'a new password',
      });
    for (let time = 1; time <= 5; time += 1) {
      expect((await change(`guess ${time}`)).status).toBe(400);
    }
    expectToWait(await change('guess'));
  });
});

describe('guessing a client secret', () => {
  const guess = (clientId: string, secret: string, address: string) =>
    harness.call(TOKEN, {
      method: 'POST',
      headers: from(address),
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: secret,
        grant_type: 'client_credentials',
      }),
    });

  it('is stopped after 100 attempts from one address, for any clients', async () => {
    const client = await aClient(harness);
    for (let time = 1; time <= 100; time += 1) {
      const clientId = time % 2 === 0 ? client.clientId : `nobody${time}`;
      expect((await guess(clientId, `guess ${time}`, '192.0.2.9')).status).toBe(401);
    }
    const response = await guess(client.clientId, 'guess 101', '192.0.2.9');
    expectToWait(response);
    expect(response.body).toEqual(refused('temporarily_unavailable', 111, 'rate_limit_exceeded1'));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await guess(client.clientId, 'guess 102', '192.0.2.10')).status).toBe(401);
  });

  it('does not lock out correct clients behind the same address', async () => {
    const client = await aClient(harness);
    expectToWait(await guess(client.clientId, 'guess', '192.0.2.9'));
    expect((await guess(client.clientId, String(client.secret), '192.0.2.9')).status).toBe(200);
  });

  it('does not count requests with a correct secret', async () => {
    const client = await aClient(harness);
    const calls = Array.from({ length: 120 }, () =>
      callAs(harness, client, TOKEN, { grant_type: 'client_credentials' }),
    );
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    expect([...statuses]).toEqual([200]);
  });

  it('returns the same error for an unknown client and a wrong secret', async () => {
    const client = await aClient(harness);
    const [wrong, unknown] = [
      await guess(client.clientId, 'cpcs_wrong', '192.0.2.11'),
      await guess('nobody', 'cpcs_wrong', '192.0.2.11'),
    ];
    expect([wrong.status, wrong.body]).toEqual([
      401,
      refused('invalid_client', 116, 'client_secret_mismatch'),
    ]);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });
});
