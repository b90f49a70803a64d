import { ApplicationsService } from '../../../src/oauth/applications.service';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { AccessController } from './probe.access';
import { probing } from './probe.module';

const PATH = '/v2/probe/common';
const CHALLENGE = /^Bearer\b.*error="invalid_token"/;

describe('access tokens (D13)', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness({ root: probing(AccessController) });
    make = new Factories(harness.database);
  });
  afterAll(() => harness.close());

  const sha256 = (token: string) => `sha256('${token}'::bytea)`;

  describe('401, code 103', () => {
    it.each([
      ['an unknown token', `Bearer cpat_${'a'.repeat(43)}`],
      ['a malformed token', 'Bearer !!!'],
      ['two words', 'Bearer one two'],
      ['another scheme', 'Basic dXNlcjpwYXNz'],
      ['no scheme', 'cpat_something'],
      ['a very long token', `Bearer ${'x'.repeat(6000)}`],
      ['characters beyond ASCII', 'Bearer \u00e9\u00e8'],
      ['a quote of SQL', `Bearer '); DROP TABLE access_tokens; --`],
    ])('%s', async (_, authorization) => {
      // Anonymous callers may come in here: a wrong token may not.
      for (const path of [PATH, '/v2/probe/book', '/v2/probe/open']) {
        const { status, body, headers } = await harness.call(path, { headers: { authorization } });
        expect(status).toBe(401);
        expect(body).toEqual({
          msg: 'invalid_access_token',
          code: 103,
          request: `GET ${path}`,
        });
        expect(headers.get('www-authenticate')).toMatch(CHALLENGE);
      }
    });

    it('a revoked token', async () => {
      const token = await harness.token();
      await harness.source.query(
        `UPDATE access_tokens SET revoked_at = now() WHERE hash = ${sha256(token)}`,
      );
      const { status, body } = await harness.call(PATH, { token });
      expect([status, body.code]).toEqual([401, 103]);
    });

    it('a token that is revoked and expired', async () => {
      const token = await harness.token({ ttl: -60 });
      await harness.app.get(ApplicationsService, { strict: false }).revoke(token);
      const { status, body } = await harness.call(PATH, { token });
      expect([status, body.code]).toEqual([401, 103]);
    });
  });

  describe('401, code 106', () => {
    it('an expired token', async () => {
      const token = await harness.token({ ttl: -1 });
      const { status, body, headers } = await harness.call(PATH, { token });
      expect(status).toBe(401);
      expect(body).toEqual({
        msg: 'access_token_has_expired',
        code: 106,
        request: `GET ${PATH}`,
      });
      expect(headers.get('www-authenticate')).toMatch(CHALLENGE);
    });
  });

  describe('401, code 122', () => {
    it('a token whose user is blocked', async () => {
      const { id: userId } = await make.aUser();
      const token = await harness.token({ userId });
      expect((await harness.call(PATH, { token })).status).toBe(200);
      await harness.source.query('UPDATE users SET blocked_at = now() WHERE id = $1', [userId]);
      const { status, body } = await harness.call(PATH, { token });
      expect(status).toBe(401);
      expect(body).toEqual({ msg: 'user_has_blocked', code: 122, request: `GET ${PATH}` });
    });
  });

  describe('403, code 105', () => {
    it('a token whose application is blocked', async () => {
      const token = await harness.token();
      await harness.source.query(
        `UPDATE applications SET blocked_at = now() FROM access_tokens t
         WHERE t.application_id = applications.id AND t.hash = ${sha256(token)}`,
      );
      const { status, body } = await harness.call(PATH, { token });
      expect([status, body.code, body.msg]).toEqual([403, 105, 'apikey_is_blocked']);
    });
  });

  describe('are read from the header only', () => {
    it('not from the query', async () => {
      const token = await harness.token();
      const { status, body } = await harness.call(`${PATH}?access_token=${token}`);
      expect([status, body.code]).toEqual([403, 1000]);
      const anonymous = await harness.call(`/v2/probe/book?access_token=${token}`);
      expect(anonymous.body.hasToken).toBe(false);
    });

    it.each(['application/x-www-form-urlencoded', 'application/json'])(
      'not from a body of %s',
      async (type) => {
        const { id: userId } = await make.aUser();
        const token = await harness.token({ userId });
        const { status, body } = await harness.call('/v2/probe/write', {
          method: 'POST',
          headers: { 'content-type': type },
          body:
            type === 'application/json'
              ? JSON.stringify({ access_token: token })
              : `access_token=${token}`,
        });
        expect([status, body.code]).toEqual([403, 1000]);
      },
    );

    it('a token in the query is ignored when the header has one', async () => {
      const token = await harness.token();
      const { status, body } = await harness.call(`${PATH}?access_token=wrong`, { token });
      expect([status, body.hasToken]).toEqual([200, true]);
    });

    it('with the scheme in any case', async () => {
      const token = await harness.token();
      const headers = { authorization: `bearer ${token}` };
      expect((await harness.call(PATH, { headers })).status).toBe(200);
    });
  });

  it('are stored as hashes only (D18)', async () => {
    const token = await harness.token();
    const [{ found, hashed }] = await harness.source.query(
      `SELECT count(*) FILTER (WHERE t::text LIKE '%' || $1 || '%')::int AS found,
         count(*) FILTER (WHERE hash = sha256($1::bytea))::int AS hashed FROM access_tokens t`,
      [token],
    );
    expect({ found, hashed }).toEqual({ found: 0, hashed: 1 });
  });
});

describe('cached tokens', () => {
  let harness: Harness;
  let lookUps: string[];
  beforeAll(async () => {
    harness = await startHarness({
      root: probing(AccessController),
      settings: { TOKEN_CACHE_SECONDS: '5' },
    });
    harness.database.onStatement = (name) => lookUps.push(name);
  });
  beforeEach(() => {
    lookUps = [];
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => harness.close());

  it('are looked up once', async () => {
    const token = await harness.token();
    lookUps = [];
    for (let call = 0; call < 3; call += 1) {
      expect((await harness.call(PATH, { token })).status).toBe(200);
    }
    expect(lookUps).toEqual(['oauth.token']);
  });

  it('are rejected at once when revoked in the same process', async () => {
    const token = await harness.token();
    expect((await harness.call(PATH, { token })).status).toBe(200);
    const revoked = await harness.app.get(ApplicationsService, { strict: false }).revoke(token);
    expect(revoked).toBe(true);
    const { status, body } = await harness.call(PATH, { token });
    expect([status, body.code]).toEqual([401, 103]);
  });

  it('are not cached by a look-up that a revocation overtakes', async () => {
    const token = await harness.token();
    const applications = harness.app.get(ApplicationsService, { strict: false });
    const { database } = harness;
    // The real look-up, whose result is held back until the token is revoked.
    const run = database.query.bind(database);
    jest.spyOn(database, 'query').mockImplementationOnce(async (what, values) => {
      const rows = await run(what, values);
      await applications.revoke(token);
      return rows;
    });
    await harness.call(PATH, { token });
    const { status, body } = await harness.call(PATH, { token });
    expect([status, body.code]).toEqual([401, 103]);
  });

  it('are rejected from the moment of their expiry', async () => {
    const token = await harness.token({ ttl: 3600 });
    expect((await harness.call(PATH, { token })).status).toBe(200);
    // Only the clock goes on: the memory, which measures by another one, still holds the token.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3601_000);
    const { status, body } = await harness.call(PATH, { token });
    expect([status, body.code]).toEqual([401, 106]);
  });
});
