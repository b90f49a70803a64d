import { AccountsService } from '../../../src/accounts/accounts.service';
import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { AccessController } from '../api/probe.access';
import { probing } from '../api/probe.module';
import { Browser } from './browser';
import {
  aClient,
  authorizationOf,
  callAs,
  codeFor,
  exchange,
  refresh,
  refused,
  standingOf,
  TOKEN,
  tokensFor,
} from './flows';

const decider = { actor: 'administrator', reason: 'because', contact: 'help@service.example' };

describe('with the token cache of servers', () => {
  let harness: Harness;
  let approvals: ApprovalsService;
  let accounts: AccountsService;
  beforeAll(async () => {
    harness = await startHarness({ settings: { TOKEN_CACHE_SECONDS: '60' } });
    approvals = harness.app.get(ApprovalsService, { strict: false });
    accounts = harness.app.get(AccountsService, { strict: false });
  });
  afterAll(() => harness.close());

  let users = 0;
  const someUser = () => new Browser(harness).register(`user${(users += 1)}`);
  const idOf = async (browser: Browser): Promise<number> =>
    Number((await tokensFor(harness, browser, await aClient(harness))).user_id);

  describe('a blocked application (105)', () => {
    const BLOCKED = refused('unauthorized_client', 105, 'apikey_is_blocked');

    it('gets no tokens, and its tokens are rejected, until it is unblocked', async () => {
      const browser = await someUser();
      const client = await aClient(harness);
      const code = await codeFor(browser, client);
      const tokens = await tokensFor(harness, browser, client);
      expect(await standingOf(harness, tokens.access_token)).toBe(200);
      await approvals.block(client.clientId, decider);
      for (const response of [
        await exchange(harness, client, code),
        await refresh(harness, client, tokens.refresh_token),
        await callAs(harness, client, TOKEN, { grant_type: 'client_credentials' }),
      ]) {
        expect([response.status, response.body]).toEqual([400, BLOCKED]);
      }
      expect(await standingOf(harness, tokens.access_token)).toEqual([403, 105]);
      const byKey = await harness.call(`/v2/book/0?apikey=${client.clientId}`);
      expect([byKey.status, byKey.body.code]).toEqual([403, 105]);
      await approvals.unblock(client.clientId, decider);
      expect(await standingOf(harness, tokens.access_token)).toBe(200);
      expect((await refresh(harness, client, tokens.refresh_token)).status).toBe(200);
      expect((await exchange(harness, client, code)).status).toBe(200);
    });

    it('gets this error only after it authenticates', async () => {
      const client = await aClient(harness);
      await approvals.block(client.clientId, decider);
      const { status, body } = await callAs(harness, { ...client, secret: 'wrong' }, TOKEN, {
        grant_type: 'client_credentials',
      });
      expect([status, body.code]).toEqual([401, 116]);
    });
  });

  describe('a blocked user (122)', () => {
    const BLOCKED = refused('invalid_grant', 122, 'user_has_blocked');

    it('is signed out, and their tokens are rejected, until they are unblocked', async () => {
      const browser = await someUser();
      const userId = await idOf(browser);
      const client = await aClient(harness);
      const code = await codeFor(browser, client);
      const tokens = await tokensFor(harness, browser, client);
      expect(await standingOf(harness, tokens.access_token)).toBe(200);
      await accounts.setBlocked(userId, { reason: '', until: null });
      for (const response of [
        await exchange(harness, client, code),
        await refresh(harness, client, tokens.refresh_token),
      ]) {
        expect([response.status, response.body]).toEqual([400, BLOCKED]);
      }
      expect(await standingOf(harness, tokens.access_token)).toEqual([401, 122]);
      const page = await browser.open(authorizationOf(client));
      expect(page.headers.get('location')).toMatch(/^\/service\/sign-in\?/);
      const token = { token: tokens.access_token };
      const introspected = await callAs(harness, client, '/service/auth2/introspect', token);
      expect(introspected.body).toEqual({ active: false });
      await accounts.setBlocked(userId, undefined);
      expect(await standingOf(harness, tokens.access_token)).toBe(200);
      expect((await refresh(harness, client, tokens.refresh_token)).status).toBe(200);
      expect((await browser.open('/service/account')).status).toBe(303);
    });
  });

  it('a sign-in whose password was verified before its user is blocked starts no session', async () => {
    const id = await idOf(await someUser());
    const [{ hash }] = await harness.source.query<[{ hash: string }]>(
      'SELECT hash FROM passwords WHERE user_id = $1',
      [id],
    );
    await accounts.setBlocked(id, { reason: '', until: null });
    expect(await accounts.startSession({ id, hash })).toBeUndefined();
    await accounts.setBlocked(id, undefined);
    expect(await accounts.startSession({ id, hash })).toEqual(expect.any(String));
  });

  describe('an approval that is suspended', () => {
    it('is removed from existing tokens at once, and restored at once', async () => {
      const client = await aClient(harness);
      const tokens = await tokensFor(harness, await someUser(), client, { scope: 'book_basic_r' });
      const reading = { scopes: ['book_basic_r'] };
      expect(await standingOf(harness, tokens.access_token)).toBe(200);
      await approvals.suspend(client.clientId, reading, decider);
      expect(await standingOf(harness, tokens.access_token)).toEqual([403, 1000]);
      await approvals.approve(client.clientId, reading, decider);
      expect(await standingOf(harness, tokens.access_token)).toBe(200);
    });

    it('cannot be requested: 125', async () => {
      const browser = await someUser();
      const client = await aClient(harness);
      await approvals.decline(client.clientId, { scopes: ['book_basic_w'] }, decider);
      const request = authorizationOf(client, { scope: 'book_basic_r book_basic_w' });
      const { status, headers } = await browser.open(request);
      const { searchParams } = new URL(String(headers.get('location')));
      expect([status, searchParams.get('error')]).toEqual([303, 'invalid_scope']);
    });

    it('that is lost between consent and token request is not in the token', async () => {
      const client = await aClient(harness);
      const code = await codeFor(await someUser(), client, {
        scope: 'book_basic_r book_basic_w',
      });
      await approvals.suspend(client.clientId, { scopes: ['book_basic_w'] }, decider);
      const { status, body } = await exchange(harness, client, code);
      expect([status, body.scope]).toEqual([200, 'book_basic_r']);
    });
  });
});

describe('a lost approval (D15)', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(AccessController) });
  });
  afterAll(() => harness.close());

  it.each([
    ['GET', 'book', 'book_basic_r', 403, 1000, 'need_permission'],
    ['GET', 'event', 'event_basic_r', 403, 1000, 'need_permission'],
    ['DELETE', 'write', 'event_basic_w', 403, 1000, 'need_permission'],
    ['POST', 'write', 'book_basic_w', 403, 1000, 'need_permission'],
    ['GET', 'note', 'community_basic_note', 404, 1001, 'uri_not_found'],
  ] as const)('%s %s with %s is %i, code %i', async (method, path, scope, status, code, msg) => {
    const [{ id }] = await harness.source.query(
      `INSERT INTO users (uid, name) VALUES ('a' || gen_random_uuid(), 'A') RETURNING id::int`,
    );
    const token = await harness.token({ userId: id, scopes: [scope], approved: [scope] });
    const before = await harness.call(`/v2/probe/${path}`, { method, token });
    expect([200, 201]).toContain(before.status);
    const [{ client_id: clientId }] = await harness.source.query(
      'SELECT client_id FROM applications ORDER BY id DESC LIMIT 1',
    );
    await harness.app
      .get(ApprovalsService, { strict: false })
      .suspend(clientId, { scopes: [scope] }, decider);
    const { status: after, body } = await harness.call(`/v2/probe/${path}`, { method, token });
    expect([after, body]).toEqual([status, { msg, code, request: `${method} /v2/probe/${path}` }]);
  });
});
