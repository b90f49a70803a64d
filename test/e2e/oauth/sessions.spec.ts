import { startHarness, type Harness } from '../../harness';
import { Browser, hiddenFields } from './browser';
import { aClient, AUTH, authorizationOf, sha256 } from './flows';

const ACCOUNT = '/service/account';
const PASSWORD = 'correct horse battery';
const HTTPS = { 'x-forwarded-proto': 'https' };

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ settings: { TRUSTED_PROXIES: '1' } });
});
afterAll(() => harness.close());

const visitor = () => new Browser(harness);
/** Whether a browser's user is signed in. */
const isIn = async (browser: Browser) => (await browser.open(ACCOUNT)).status === 200;

describe('the session', () => {
  it('gets a new cookie at registration and at sign-in (session fixation)', async () => {
    const browser = visitor();
    await browser.open('/service/register');
    const before = browser.cookie;
    await browser.register('fix');
    const first = browser.cookie;
    expect(before).toMatch(/^[\w-]{20,}$/);
    expect(first).not.toBe(before);
    await browser.signOut();
    await browser.open('/service/sign-in');
    const between = browser.cookie;
    await browser.signIn('fix');
    expect(new Set([before, first, between, browser.cookie]).size).toBe(4);
  });

  it('never uses a session id that the browser brought along', async () => {
    const planted = 'planted-by-an-attacker-1234567890';
    const browser = visitor();
    browser.plant(planted);
    await browser.register('planted');
    expect(await isIn(browser)).toBe(true);
    const attacker = visitor();
    attacker.plant(planted);
    expect(await isIn(attacker)).toBe(false);
  });

  it.each(['x', '../../etc', 'a'.repeat(200), '%00'])(
    'is a fresh one when the cookie cannot be one: %s',
    async (odd) => {
      const browser = visitor();
      browser.plant(odd);
      await browser.open('/service/sign-in');
      expect(browser.cookie).toMatch(/^[\w-]{20,100}$/);
      expect(browser.cookie).not.toBe(odd);
    },
  );

  it('ends at sign-out, also for copies of the cookie', async () => {
    const browser = await visitor().register('leaver');
    const thief = visitor();
    thief.plant(browser.cookie);
    expect(await isIn(thief)).toBe(true);
    const { status, headers } = await browser.signOut();
    expect([status, headers.get('location')]).toEqual([303, '/service/sign-in']);
    expect([await isIn(browser), await isIn(thief)]).toEqual([false, false]);
  });

  it('ends after two weeks', async () => {
    const browser = await visitor().register('sleeper');
    const [{ seconds }] = await harness.source.query(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM sessions WHERE hash = $1`,
      [sha256(browser.cookie)],
    );
    expect(seconds).toBe(14 * 86400);
    await harness.source.query('UPDATE sessions SET expires_at = now() WHERE hash = $1', [
      sha256(browser.cookie),
    ]);
    expect(await isIn(browser)).toBe(false);
  });

  it('of other browsers ends at a password change', async () => {
    const [here, there] = [await visitor().register('changer'), visitor()];
    await there.signIn('changer');
    expect([await isIn(here), await isIn(there)]).toEqual([true, true]);
    const change = (current: string, fresh: string) =>
      here.fill(ACCOUNT, `${ACCOUNT}/password`, { current, fresh });
    expect((await change('wrong password', 'a new password')).status).toBe(400);
    expect((await change(PASSWORD, 'short')).status).toBe(400);
    expect(await isIn(there)).toBe(true);
    const { status, headers } = await change(PASSWORD, 'a new password');
    expect([status, headers.get('location')]).toEqual([303, `${ACCOUNT}?did=password`]);
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await there.signIn('changer')).status).toBe(403);
    expect((await there.signIn('changer', 'a new password')).status).toBe(303);
  });

  it('ends in all browsers at “sign out everywhere”', async () => {
    const [here, there] = [await visitor().register('everywhere'), visitor()];
    await there.signIn('everywhere');
    const { text } = await here.open(ACCOUNT);
    const { status, headers } = await here.post(
      `${ACCOUNT}/sign-out-everywhere`,
      hiddenFields(text),
    );
    expect([status, headers.get('location')]).toEqual([303, '/service/sign-in']);
    expect([await isIn(here), await isIn(there)]).toEqual([false, false]);
  });

  it('that ended during consent issues no authorization code', async () => {
    const client = await aClient(harness);
    const browser = await visitor().register('late');
    const form_token = await browser.formToken();
    const query = authorizationOf(client).split('?')[1];
    await harness.source.query('DELETE FROM sessions WHERE hash = $1', [sha256(browser.cookie)]);
    const { status, headers, body } = await browser.post(
      AUTH,
      { ...Object.fromEntries(new URLSearchParams(query)), form_token, decision: 'allow' },
      { accept: '*/*' },
    );
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(body).toMatchObject({ error: 'access_denied', code: 121, msg: 'invalid_user' });
  });
});

describe('the cookie', () => {
  const cookieOf = async (headers: Record<string, string> = {}): Promise<string> => {
    const response = await visitor().open('/service/sign-in', headers);
    return String(response.headers.getSetCookie());
  };

  it('is limited to pages, and is HttpOnly and SameSite', async () => {
    const attributes = (await cookieOf()).split('; ').slice(1);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']));
    expect(attributes.join()).not.toMatch(/Domain=/i);
  });

  it('has the prefix __Host- over HTTPS, so that no other host can set it', async () => {
    const [pair, ...attributes] = (await cookieOf(HTTPS)).split('; ');
    expect(pair).toMatch(/^__Host-commonplace_login=[\w-]{20,}$/);
    // Requirements of browsers for the prefix (RFC 6265bis, section 4.1.3.2).
    expect(attributes).toEqual(
      expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']),
    );
    expect(attributes.join()).not.toMatch(/Domain=/i);
    expect(await cookieOf()).not.toMatch(/__Host-|; Secure/);
  });

  it('of plain HTTP is ignored over HTTPS, and vice versa', async () => {
    const browser = await visitor().register('plain');
    const session = browser.cookie;
    expect((await browser.open(ACCOUNT)).status).toBe(200);
    expect((await browser.open(ACCOUNT, HTTPS)).status).toBe(303);
    const other = visitor();
    other.plant(session, '__Host-commonplace_login');
    expect((await other.open(ACCOUNT)).status).toBe(303);
    expect((await other.open(ACCOUNT, HTTPS)).status).toBe(200);
  });

  it('is deleted with the attributes that its prefix requires', async () => {
    const browser = visitor();
    const { text } = await browser.open('/service/register', HTTPS);
    const fields = { ...hiddenFields(text), uid: 'secure', password: PASSWORD };
    const made = await browser.post('/service/register', fields, HTTPS);
    expect(made.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-commonplace_login=.*; Path=\/; .*Secure/),
      expect.stringMatching(/^__Host-commonplace_device=.*; Path=\/; .*Secure; SameSite=Strict/),
    ]);
    const page = await browser.open(ACCOUNT, HTTPS);
    const out = await browser.post('/service/sign-out', hiddenFields(page.text), HTTPS);
    expect(out.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-commonplace_login=; Path=\/; .*Secure/),
    ]);
  });

  it('has the same attributes when it is a session cookie', async () => {
    const browser = visitor();
    await browser.register('attributes');
    await browser.signOut();
    const { headers } = await browser.signIn('attributes');
    const [line] = headers.getSetCookie();
    expect(line).toMatch(/^commonplace_login=cpss_[\w-]{43}; /);
    for (const attribute of ['Path=/', 'HttpOnly', 'SameSite=Lax']) {
      expect(line).toContain(`; ${attribute}`);
    }
  });

  it('is ignored by the API', async () => {
    const browser = await visitor().register('reader');
    const headers = { cookie: `commonplace_login=${browser.cookie}` };
    const path = '/v2/book/0/collection';
    const { status, body, headers: resolved } = await harness.call(path, { headers });
    expect([status, body.code, resolved.getSetCookie()]).toEqual([403, 1000, []]);
    const authorization = `Bearer ${browser.cookie}`;
    expect((await harness.call(path, { headers: { authorization } })).status).toBe(401);
  });

  it('is ignored by the token endpoint', async () => {
    const browser = await visitor().register('machine');
    const { status, headers } = await browser.post('/service/auth2/token', {
      grant_type: 'client_credentials',
    });
    expect([status, headers.getSetCookie()]).toEqual([400, []]);
  });
});

describe('signing in', () => {
  it('gives the same response for an unknown user and for a wrong password', async () => {
    await visitor().register('known');
    await harness.source.query(`INSERT INTO users (uid, name) VALUES ('nokey', 'No password')`);
    const browser = visitor();
    await browser.open('/service/sign-in');
    const responses = [];
    for (const uid of ['known', 'other', 'nokey']) {
      const { status, headers, text } = await browser.signIn(uid, 'not the password');
      responses.push([status, headers.get('content-length'), text.replaceAll(uid, '*')]);
    }
    expect(responses[0]?.[0]).toBe(403);
    expect(responses[0]?.[2]).toContain('The username or password is incorrect.');
    expect(responses.map(([status]) => status)).toEqual([403, 403, 403]);
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
  });

  it('reveals a block only with the right password', async () => {
    await visitor().register('blocked');
    await harness.source.query(`UPDATE users SET blocked_at = now() WHERE uid = 'blocked'`);
    const wrong = await visitor().signIn('blocked', 'not the password');
    expect(wrong.text).not.toContain('is blocked');
    const browser = visitor();
    const right = await browser.signIn('blocked');
    expect([right.status, right.text.includes('This account is blocked.')]).toEqual([403, true]);
    expect(await isIn(browser)).toBe(false);
  });

  it.each(['', 'x'.repeat(201), "' OR 1=1 --", '\u0000'])(
    'rejects an invalid password: "%s"',
    async (one) => {
      expect((await visitor().signIn('known', one)).status).toBe(403);
    },
  );
});

describe('registering', () => {
  it.each(['a', '12345', '..', 'a b', 'a/b', '<b>', 'ü'.repeat(3), 'x'.repeat(31), ''])(
    'rejects the user name "%s"',
    async (uid) => {
      await expect(visitor().register(uid)).rejects.toThrow('could not register: 400');
    },
  );

  it.each(['short', 'x'.repeat(201), 'weakling'])('rejects a password: %s', async (password) => {
    await expect(visitor().register('weakling', password)).rejects.toThrow('400');
    const [{ n }] = await harness.source.query(
      `SELECT count(*)::int AS n FROM users WHERE uid = 'weakling'`,
    );
    expect(n).toBe(0);
  });

  it('registers a uid once', async () => {
    await visitor().register('twice');
    await expect(visitor().register('twice', 'another password')).rejects.toThrow('400');
    expect((await visitor().signIn('twice')).status).toBe(303);
  });
});
