import { ApprovalsService } from '../../../src/oauth/approvals.service';
import { startHarness, type Harness } from '../../harness';
import { Browser } from './browser';
import {
  aClient,
  callAs,
  refresh,
  refused,
  sha256,
  standingOf,
  TOKEN,
  tokensFor,
  type TestClient,
} from './flows';
import { withRowLocked } from './lock-row';

let harness: Harness;
let browser: Browser;
let client: TestClient;

beforeAll(async () => {
  harness = await startHarness();
  browser = await new Browser(harness).register('ann');
  client = await aClient(harness);
});
afterAll(() => harness.close());

const INVALID = refused('invalid_grant', 119, 'invalid_refresh_token');
const SCOPE = refused('invalid_scope', 125, 'invalid_request_scope');

describe('a refresh token', () => {
  it('returns a new pair, and the previous access token stays valid', async () => {
    const first = await tokensFor(harness, browser, client);
    const { status, body } = await refresh(harness, client, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', scope: first.scope, user_name: 'ann' });
    expect(body.refresh_token).not.toBe(first.refresh_token);
    for (const token of [first.access_token, body.access_token]) {
      expect(await standingOf(harness, token)).toBe(200);
    }
  });

  it('is rejected when it has expired', async () => {
    const { refresh_token: token } = await tokensFor(harness, browser, client);
    await harness.source.query(
      `UPDATE refresh_tokens SET expires_at = now() - interval '1 second' WHERE hash = $1`,
      [sha256(token)],
    );
    const { status, body } = await refresh(harness, client, token);
    expect([status, body]).toEqual([400, INVALID]);
  });

  it.each(['cprt_nobody', 'x', 'a'.repeat(5000)])('is rejected when unknown: %s', async (token) => {
    const { status, body } = await refresh(harness, client, token);
    expect([status, body]).toEqual([400, INVALID]);
  });

  it('is not an access token, nor a code', async () => {
    const { refresh_token: token } = await tokensFor(harness, browser, client);
    expect(await standingOf(harness, token)).toEqual([401, 103]);
    const { body } = await callAs(harness, client, TOKEN, {
      grant_type: 'authorization_code',
      code: token,
    });
    expect(body.code).toBe(118);
    expect((await refresh(harness, client, token)).status).toBe(200);
  });

  it('is required: 113', async () => {
    const { status, body } = await callAs(harness, client, TOKEN, { grant_type: 'refresh_token' });
    expect([status, body]).toEqual([
      400,
      refused('invalid_request', 113, 'required_parameter_is_missing'),
    ]);
  });
});

describe('a reused refresh token (RFC 9700, section 4.14.2)', () => {
  it('revokes the grant and all its tokens', async () => {
    const first = await tokensFor(harness, browser, client);
    const second = (await refresh(harness, client, first.refresh_token)).body;
    const third = (await refresh(harness, client, second.refresh_token)).body;
    const again = await refresh(harness, client, first.refresh_token);
    expect([again.status, again.body]).toEqual([400, INVALID]);
    for (const { access_token: token } of [first, second, third]) {
      expect(await standingOf(harness, token)).toEqual([401, 103]);
    }
    expect((await refresh(harness, client, third.refresh_token)).body).toEqual(INVALID);
  });

  it('returns tokens once when used 50 times concurrently, and revokes them', async () => {
    const { refresh_token: token } = await tokensFor(harness, browser, client);
    const lock = 'SELECT FROM refresh_tokens WHERE hash = $1 FOR UPDATE';
    const responses = await withRowLocked(harness.url, lock, [sha256(token)], () =>
      Promise.all(Array.from({ length: 50 }, () => refresh(harness, client, token))),
    );
    const good = responses.filter(({ status }) => status === 200);
    const bad = responses.filter(({ status }) => status !== 200);
    expect(good).toHaveLength(1);
    expect(bad.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 49 }, () => [400, INVALID]),
    );
    expect(await standingOf(harness, good[0]?.body.access_token)).toEqual([401, 103]);
    expect((await refresh(harness, client, good[0]?.body.refresh_token)).body).toEqual(INVALID);
  });
});

describe('a refresh token of another client', () => {
  it.each([true, false])(
    'is rejected, and stays good for its own (public: %s)',
    async (isPublic) => {
      const other = await aClient(harness, { isPublic });
      const { refresh_token: token } = await tokensFor(harness, browser, client);
      const stolen = await refresh(harness, other, token);
      expect([stolen.status, stolen.body]).toEqual([400, INVALID]);
      expect((await refresh(harness, client, token)).status).toBe(200);
    },
  );

  it('does not revoke the grant when it was used before', async () => {
    const other = await aClient(harness);
    const first = await tokensFor(harness, browser, client);
    const second = (await refresh(harness, client, first.refresh_token)).body;
    expect((await refresh(harness, other, first.refresh_token)).body).toEqual(INVALID);
    expect(await standingOf(harness, second.access_token)).toBe(200);
  });
});

describe('scopes at refresh (RFC 6749, section 6)', () => {
  const two = { scope: 'book_basic_r book_basic_w' };

  it('may be fewer, and may be all again later', async () => {
    const first = await tokensFor(harness, browser, client, two);
    const less = await refresh(harness, client, first.refresh_token, { scope: 'book_basic_r' });
    expect(less.body.scope).toBe('book_basic_r');
    const all = await refresh(harness, client, less.body.refresh_token);
    expect(all.body.scope).toBe('book_basic_r book_basic_w');
  });

  it('may be separated by commas', async () => {
    const first = await tokensFor(harness, browser, client, two);
    const scope = 'book_basic_w,book_basic_r';
    const { body } = await refresh(harness, client, first.refresh_token, { scope });
    expect(body.scope.split(' ').sort()).toEqual(['book_basic_r', 'book_basic_w']);
  });

  it.each(['book_basic_r book_basic_w', 'service_basic_common', 'everything', 'a"b', '\\'])(
    'may not be more: "%s" is 125, and the token stays good',
    async (scope) => {
      const first = await tokensFor(harness, browser, client, { scope: 'book_basic_r' });
      for (const times of ['once', 'twice']) {
        const { status, body } = await refresh(harness, client, first.refresh_token, { scope });
        expect([times, status, body]).toEqual([times, 400, SCOPE]);
      }
      expect((await refresh(harness, client, first.refresh_token)).status).toBe(200);
    },
  );
});

describe('withdrawn approvals (D15)', () => {
  it('are removed from new tokens until they are approved again', async () => {
    const own = await aClient(harness, { scopes: ['book_basic_r', 'book_basic_w'] });
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    const first = await tokensFor(harness, browser, own);
    const decider = { actor: 'administrator' };
    const writing = { scopes: ['book_basic_w'] };
    await approvals.suspend(own.clientId, writing, decider);
    const less = await refresh(harness, own, first.refresh_token);
    expect([less.status, less.body.scope]).toEqual([200, 'book_basic_r']);
    await approvals.approve(own.clientId, writing, decider);
    const all = await refresh(harness, own, less.body.refresh_token);
    expect([all.status, all.body.scope]).toEqual([200, 'book_basic_r book_basic_w']);
  });

  it('of all scopes give 125 until one is approved again', async () => {
    const own = await aClient(harness, { scopes: ['book_basic_r'] });
    const approvals = harness.app.get(ApprovalsService, { strict: false });
    const first = await tokensFor(harness, browser, own);
    const reading = { scopes: ['book_basic_r'] };
    await approvals.suspend(own.clientId, reading, { actor: 'administrator' });
    for (const times of ['once', 'twice']) {
      const { status, body } = await refresh(harness, own, first.refresh_token);
      expect([times, status, body]).toEqual([times, 400, SCOPE]);
    }
    await approvals.approve(own.clientId, reading, { actor: 'administrator' });
    expect((await refresh(harness, own, first.refresh_token)).status).toBe(200);
  });
});
