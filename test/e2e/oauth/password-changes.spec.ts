import { type DataSource } from 'typeorm';
import { ENTITIES } from '../../../src/server/entities';
import { AccountsRepository } from '../../../src/accounts/accounts.repository';
import { AdminUsersService } from '../../../src/admin/users.service';
import { makeDataSource } from '../../../src/database/data-source';
import { callAt, startHarness, type TestResponse, type Harness } from '../../harness';
import { testSettings } from '../../settings';
import { serveOn, type Served } from '../api/serve-on';
import { until } from '../process/programs';
import { Browser, hiddenFields } from './browser';
import {
  aClient,
  AUTH,
  authorizationOf,
  callAs,
  codeFor,
  exchange,
  refresh,
  refused,
  standingOf,
  tokensFor,
  TOKEN,
  type Callable,
  type TestClient,
} from './flows';

const PASSWORD = 'correct horse battery';
const FRESH = 'a password that nobody knows';
const ACCOUNT = '/service/account';
const settings = { TOKEN_CACHE_SECONDS: '60' };

/** Two servers on one database, which remember tokens for a minute. */
let harness: Harness;
let source: DataSource;
let other: Served;
let otherCall: Callable;
let client: TestClient;
beforeAll(async () => {
  harness = await startHarness({ settings });
  source = makeDataSource(testSettings(), harness.url, ENTITIES);
  await source.initialize();
  other = await serveOn(source, { settings });
  otherCall = { call: callAt(await other.app.getUrl()) };
  client = await aClient(harness);
});
afterAll(async () => {
  await other.close();
  await source.destroy();
  await harness.close();
});

const standings = async (token: string) => [
  await standingOf(harness, token),
  await standingOf(otherCall, token),
];
/** Both servers know; the other process is notified a moment later. */
const becomes = (token: string, code: number): Promise<void> =>
  until(async () =>
    (await standings(token)).every((one) => JSON.stringify(one) === `[401,${code}]`),
  );

const change = (browser: Browser, more: Record<string, string> = {}): Promise<TestResponse> =>
  browser.fill(ACCOUNT, `${ACCOUNT}/password`, { current: PASSWORD, fresh: FRESH, ...more });

const idOf = async (uid: string): Promise<number> => {
  const [row] = await source.query<[{ id: number }]>(
    'SELECT id::int AS id FROM users WHERE uid = $1',
    [uid],
  );
  return row.id;
};

/** An administrator's new password for a user, on the second server. */
async function reset(uid: string): Promise<void> {
  const users = other.app.get(AdminUsersService, { strict: false });
  await users.setPassword({ id: await idOf(uid), uid }, FRESH, { name: 'cli' });
}

describe.each(['changed by the user', 'reset by an administrator'])(
  'a changed password (%s)',
  (how) => {
    const uid = how.startsWith('changed') ? 'changer' : 'resetter';
    let browser: Browser;
    let tokens: Awaited<ReturnType<typeof tokensFor>>;
    let issued: string;
    let ofApplication: string;
    let code: string;
    beforeAll(async () => {
      browser = await new Browser(harness).register(uid);
      tokens = await tokensFor(harness, browser, client);
      code = await codeFor(browser, client);
      issued = await harness.token({ userId: await idOf(uid) });
      const own = await callAs(harness, client, TOKEN, { grant_type: 'client_credentials' });
      ofApplication = own.body.access_token as string;
      expect(await standings(tokens.access_token)).toEqual([200, 200]);
      expect(await standings(issued)).toEqual([200, 200]);
      if (uid === 'changer') expect((await change(browser)).status).toBe(303);
      else await reset(uid);
    });

    it('revokes access tokens on every server at once: 401, code 123', async () => {
      await becomes(tokens.access_token, 123);
      const { headers, body } = await harness.call('/v2/book/0/collection', {
        token: tokens.access_token,
      });
      expect(body.msg).toBe('access_token_has_expired_since_password_changed');
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    });

    it('revokes tokens that an administrator issued for the user, too', async () => {
      await becomes(issued, 123);
    });

    it('revokes refresh tokens and codes: 119, 118', async () => {
      const refreshed = await refresh(harness, client, tokens.refresh_token);
      expect([refreshed.status, refreshed.body]).toEqual([
        400,
        refused('invalid_grant', 119, 'invalid_refresh_token'),
      ]);
      const fetched = await exchange(harness, client, code);
      expect([fetched.status, fetched.body]).toEqual([
        400,
        refused('invalid_grant', 118, 'invalid_authorization_code'),
      ]);
      const { body } = await callAs(harness, client, '/service/auth2/introspect', {
        token: tokens.access_token,
      });
      expect(body).toEqual({ active: false });
    });

    it('does not affect tokens of applications', async () => {
      const { status } = await harness.call('/v2/book/0', { token: ofApplication });
      expect(status).toBe(404);
    });

    it("removes the application from the user's list", async () => {
      const here = new Browser(harness);
      expect((await here.signIn(uid, FRESH)).status).toBe(303);
      const { text } = await here.open(ACCOUNT);
      expect(text).not.toContain(client.clientId);
    });
  },
);

describe('a password change on the page', () => {
  it('keeps authorized apps when the user chooses that', async () => {
    const browser = await new Browser(harness).register('keeper');
    const { access_token, refresh_token } = await tokensFor(harness, browser, client);
    const { status, headers } = await change(browser, { keep_apps: 'yes' });
    expect([status, headers.get('location')]).toEqual([303, `${ACCOUNT}?did=password-kept`]);
    expect(await standings(access_token)).toEqual([200, 200]);
    expect((await refresh(harness, client, refresh_token)).status).toBe(200);
  });

  it('has a checkbox for it that is not checked by default', async () => {
    const browser = await new Browser(harness).register('asked');
    const { text } = await browser.open(ACCOUNT);
    expect(text).toMatch(/<input type="checkbox" name="keep_apps" value="yes" \/>/);
  });

  it('changes nothing when it is rejected', async () => {
    const browser = await new Browser(harness).register('mistaken');
    const { access_token } = await tokensFor(harness, browser, client);
    expect((await change(browser, { current: 'wrong password' })).status).toBe(400);
    expect((await change(browser, { fresh: 'short' })).status).toBe(400);
    expect(await standings(access_token)).toEqual([200, 200]);
  });

  it('ends other sessions with the same cookie, and continues with a new one', async () => {
    const browser = await new Browser(harness).register('copied');
    const thief = new Browser(harness);
    thief.plant(browser.cookie);
    expect((await thief.open(ACCOUNT)).status).toBe(200);
    await change(browser);
    expect((await thief.open(ACCOUNT)).status).toBe(303);
    expect((await browser.open(ACCOUNT)).status).toBe(200);
  });
});

describe('concurrent with a password change', () => {
  it('a sign-in with the previous password creates no session', async () => {
    await new Browser(harness).register('racer');
    const accounts = harness.app.get(AccountsRepository, { strict: false });
    const before = await accounts.findAccountByUid('racer');
    await reset('racer');
    const session = { hash: Buffer.alloc(32, 1), lifetime: 60 };
    const id = await idOf('racer');
    expect(await accounts.addSession(session, id, before?.hash ?? '')).toBe(false);
    const after = await accounts.findAccountByUid('racer');
    expect(await accounts.addSession(session, id, after?.hash ?? '')).toBe(true);
  });

  /** Ends a user's sessions in a transaction that commits when the request of `act` waits for it. */
  async function endedMeanwhile(
    uid: string,
    act: () => Promise<TestResponse>,
  ): Promise<TestResponse> {
    const holder = source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('DELETE FROM sessions WHERE user_id = $1', [await idOf(uid)]);
    const response = act();
    await until(async () => {
      const [{ waiting }] = await source.query<[{ waiting: number }]>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting > 0;
    });
    await holder.commitTransaction();
    await holder.release();
    return response;
  }

  it('a session that has ended creates no grant', async () => {
    const browser = await new Browser(harness).register('granter');
    const form = hiddenFields((await browser.open(authorizationOf(client))).text);
    const { status, body } = await endedMeanwhile('granter', () =>
      browser.post(AUTH, { ...form, decision: 'allow' }, { accept: '*/*' }),
    );
    expect([status, body.code]).toEqual([400, 121]);
    expect(
      await source.query('SELECT 1 FROM grants WHERE user_id = $1', [await idOf('granter')]),
    ).toEqual([]);
  });

  it('a session that has ended sets no password', async () => {
    const browser = await new Browser(harness).register('leaver');
    const { status, headers } = await endedMeanwhile('leaver', () => change(browser));
    expect([status, headers.get('location')]).toEqual([303, ACCOUNT]);
    expect((await browser.open(ACCOUNT)).status).toBe(303);
    expect((await new Browser(harness).signIn('leaver', FRESH)).status).toBe(403);
    expect((await new Browser(harness).signIn('leaver', PASSWORD)).status).toBe(303);
  });
});

describe('repeated password changes', () => {
  it('are rejected after 10 for one user, also with the correct password: 429', async () => {
    const browser = await new Browser(harness).register('eager');
    for (let time = 1; time <= 10; time += 1) {
      expect((await change(browser, { fresh: 'short' })).status).toBe(400);
    }
    const { status, headers } = await change(browser);
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await change(await new Browser(harness).register('calm'))).status).toBe(303);
  });
});
