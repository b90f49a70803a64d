import { Attempts } from '../../../src/oauth/attempts';
import { startHarness, type TestResponse, type Harness } from '../../harness';
import { Browser } from './browser';
import { challengeOn, solutionOf, solvedFields } from './challenges';

const SIGN_IN = '/service/sign-in';
const PASSWORD = 'correct horse battery';
const DEVICE = 'commonplace_device';

/** Behind one proxy, the address of a client is what the proxy says. */
let harness: Harness;
beforeAll(async () => {
  const settings = { TRUSTED_PROXIES: '1', CAPTCHA_DIFFICULTY: '300' };
  harness = await startHarness({ settings });
});
afterAll(() => harness.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

/** Signs in with the fields of the page that is open, or of a fresh one. */
async function attempt(
  browser: Browser,
  uid: string,
  password: string,
  address: string,
  fields?: Record<string, string>,
): Promise<TestResponse> {
  const form_token = await browser.formToken();
  return browser.post(SIGN_IN, { uid, password, form_token, ...fields }, from(address));
}

/** Others' wrong passwords, until the user's counter is full: as many as that takes in vain. */
async function besiege(uid: string): Promise<void> {
  const attempts = harness.app.get(Attempts, { strict: false });
  while ((await attempts.tryConsume(['user', uid])) === undefined);
}

/** A browser in which a user has signed in before, and signed out. */
async function knownBrowser(uid: string): Promise<Browser> {
  const browser = await new Browser(harness).register(uid);
  await browser.signOut();
  return browser;
}

describe('an account under distributed password guessing', () => {
  it('can be signed in to without a challenge from a known browser', async () => {
    const browser = await knownBrowser('home');
    await besiege('home');
    expect((await attempt(browser, 'home', PASSWORD, '192.0.2.1')).status).toBe(303);
  });

  it('can be signed in to from another browser with a solved challenge', async () => {
    await knownBrowser('away');
    await besiege('away');
    const browser = new Browser(harness);
    const challenged = await attempt(browser, 'away', PASSWORD, '192.0.2.2');
    expect(challenged.status).toBe(429);
    expect(challenged.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(challenged.headers.get('content-security-policy')).toContain(
      "script-src 'self'; worker-src 'self'",
    );
    // Without scripts the page says how long to wait.
    expect(challenged.text).toMatch(
      /<noscript>\s*<p class="error" role="alert">\s*Too many attempts\./,
    );
    const solved = await attempt(browser, 'away', PASSWORD, '192.0.2.2', solvedFields(challenged));
    expect(solved.status).toBe(303);
  });

  it('is known to that browser afterwards', async () => {
    await knownBrowser('then');
    await besiege('then');
    const browser = new Browser(harness);
    const challenged = await attempt(browser, 'then', PASSWORD, '192.0.2.3');
    await attempt(browser, 'then', PASSWORD, '192.0.2.3', solvedFields(challenged));
    await browser.signOut();
    expect((await attempt(browser, 'then', PASSWORD, '192.0.2.4')).status).toBe(303);
  });

  it('gets the next challenge with the rejection', async () => {
    await knownBrowser('again');
    await besiege('again');
    const browser = new Browser(harness);
    const challenged = await attempt(browser, 'again', 'wrong', '192.0.2.5');
    const wrong = await attempt(browser, 'again', 'wrong', '192.0.2.5', solvedFields(challenged));
    expect([wrong.status, challengeOn(wrong)?.salt]).toEqual([403, expect.any(String)]);
    expect(wrong.text).toContain('The username or password is incorrect.');
    const right = await attempt(browser, 'again', PASSWORD, '192.0.2.5', solvedFields(wrong));
    expect(right.status).toBe(303);
  });
});

describe('a solved challenge', () => {
  let browser: Browser;
  let challenged: TestResponse;
  beforeEach(async () => {
    browser = new Browser(harness);
    challenged = await attempt(browser, 'target', 'wrong', '192.0.2.10');
  });
  beforeAll(async () => {
    await knownBrowser('target');
    await besiege('target');
    await besiege('nobody');
  });

  const use = (fields: Record<string, string>, uid = 'target') =>
    attempt(browser, uid, 'wrong', '192.0.2.10', fields);

  it('is valid for one attempt', async () => {
    const fields = solvedFields(challenged);
    expect((await use(fields)).status).toBe(403);
    expect((await use(fields)).status).toBe(429);
  });

  it('is valid for one user', async () => {
    expect((await use(solvedFields(challenged), 'nobody')).status).toBe(429);
  });

  it('is not a challenge of the API, and is not valid there', async () => {
    const { body } = await harness.call('/v2/captcha');
    const captcha_solution = String(solutionOf(body));
    expect((await use({ captcha_id: body.captcha_id, captcha_solution })).status).toBe(429);
  });

  it('must be correct', async () => {
    const fields = solvedFields(challenged);
    const { captcha_solution } = fields;
    for (const wrong of [String(Number(captcha_solution) + 1), '', 'x', '-1']) {
      expect((await use({ ...fields, captcha_solution: wrong })).status).toBe(429);
    }
    expect((await use({ ...fields, captcha_id: 'x' })).status).toBe(429);
    expect((await use(fields)).status).toBe(403);
  });

  it('becomes harder with the number of wrong passwords', async () => {
    const attempts = harness.app.get(Attempts, { strict: false });
    expect(challengeOn(challenged)?.maxnumber).toBe(300);
    const easy = solvedFields(challenged);
    for (let time = 0; time < 200; time += 1) await attempts.record(['userChallenged', 'target']);
    const harder = await use(easy);
    // The one before the last doubling is still good, older ones are not.
    expect([harder.status, challengeOn(harder)?.maxnumber]).toEqual([429, 1200]);
    expect((await use(solvedFields(harder))).status).toBe(403);
    for (let time = 0; time < 5000; time += 1) await attempts.record(['userChallenged', 'target']);
    expect(challengeOn(await use({}))?.maxnumber).toBe(300 * 32);
  });

  it('does not allow unlimited attempts from one address', async () => {
    const attempts = harness.app.get(Attempts, { strict: false });
    while ((await attempts.tryConsume(['challenged', '192.0.2.11'])) === undefined);
    await besiege('besieged');
    const page = await attempt(browser, 'besieged', 'wrong', '192.0.2.11');
    const { status, text } = await attempt(
      browser,
      'besieged',
      'wrong',
      '192.0.2.11',
      solvedFields(page),
    );
    expect([status, text.includes('id="challenge"')]).toEqual([429, false]);
  });
});

describe('a known browser', () => {
  it('has its own limit of ten wrong passwords', async () => {
    const browser = await knownBrowser('forgetful');
    await besiege('forgetful');
    for (let time = 1; time <= 10; time += 1) {
      const wrong = await attempt(browser, 'forgetful', `guess ${time}`, '192.0.2.20');
      expect([wrong.status, challengeOn(wrong) !== undefined]).toEqual([403, time === 10]);
    }
    const { status } = await attempt(browser, 'forgetful', PASSWORD, '192.0.2.20');
    expect(status).toBe(429);
  });

  it('does not use up the limit of other browsers', async () => {
    const browser = await knownBrowser('own');
    for (let time = 1; time <= 9; time += 1) {
      await attempt(browser, 'own', `guess ${time}`, '192.0.2.21');
    }
    expect((await attempt(new Browser(harness), 'own', PASSWORD, '192.0.2.21')).status).toBe(303);
  });

  it('is known only for the users that signed in there', async () => {
    const browser = await knownBrowser('eve');
    await knownBrowser('victim');
    await besiege('victim');
    expect((await attempt(browser, 'victim', PASSWORD, '192.0.2.22')).status).toBe(429);
  });

  it('is known for several users, such as a shared computer', async () => {
    const browser = await knownBrowser('parent');
    await browser.register('child');
    await browser.signOut();
    for (const uid of ['parent', 'child']) {
      await besiege(uid);
      expect((await attempt(browser, uid, PASSWORD, '192.0.2.23')).status).toBe(303);
      await browser.signOut();
    }
  });

  it('has a cookie that is sent only to pages and names no user', async () => {
    const browser = await new Browser(harness).register('private');
    await browser.signOut();
    const { headers } = await browser.signIn('private');
    const line = headers.getSetCookie().find((one) => one.startsWith(DEVICE));
    const attributes = String(line).split('; ').slice(1);
    expect(attributes).toEqual(
      expect.arrayContaining(['Path=/service', 'HttpOnly', 'SameSite=Strict']),
    );
    expect(attributes).toContain(`Max-Age=${365 * 24 * 3600}`);
    expect(line).not.toContain('private');
  });

  it.each(['', 'x', '!!!', `${'A'.repeat(22)}.9999999999.${'A'.repeat(43)}`, 'a'.repeat(4000)])(
    'is not one whose cookie was made up: %s',
    async (value) => {
      const browser = new Browser(harness);
      browser.plant(value, DEVICE);
      await besiege('made-up');
      expect((await attempt(browser, 'made-up', PASSWORD, '192.0.2.24')).status).toBe(429);
    },
  );
});

describe('correct passwords', () => {
  it('are limited, too: beyond the limit a challenge is required', async () => {
    const browser = await knownBrowser('often');
    const attempts = harness.app.get(Attempts, { strict: false });
    expect((await attempt(browser, 'often', PASSWORD, '192.0.2.30')).status).toBe(303);
    expect(await attempts.used(['userSignIn', 'often'])).toBe(1);
    expect(await attempts.used(['addressSignIn', '192.0.2.30'])).toBe(1);
    expect(await attempts.used(['user', 'often'])).toBe(0);
    while ((await attempts.tryConsume(['userSignIn', 'often'])) === undefined);
    await browser.signOut();
    const challenged = await attempt(browser, 'often', PASSWORD, '192.0.2.30');
    expect(challenged.status).toBe(429);
    const solved = await attempt(
      browser,
      'often',
      PASSWORD,
      '192.0.2.30',
      solvedFields(challenged),
    );
    expect(solved.status).toBe(303);
  });

  it('are limited by address over all users', async () => {
    const attempts = harness.app.get(Attempts, { strict: false });
    while ((await attempts.tryConsume(['addressSignIn', '192.0.2.31'])) === undefined);
    await knownBrowser('visitor');
    const { status } = await attempt(new Browser(harness), 'visitor', PASSWORD, '192.0.2.31');
    expect(status).toBe(429);
  });

  it('are limited by address for known browsers, too', async () => {
    const attempts = harness.app.get(Attempts, { strict: false });
    while ((await attempts.tryConsume(['addressSignIn', '192.0.2.32'])) === undefined);
    const browser = await knownBrowser('regular');
    const challenged = await attempt(browser, 'regular', PASSWORD, '192.0.2.32');
    expect(challenged.status).toBe(429);
    const fields = solvedFields(challenged);
    expect((await attempt(browser, 'regular', PASSWORD, '192.0.2.32', fields)).status).toBe(303);
  });
});

describe('a client that is not a browser', () => {
  it('gets 429 with code 111, as JSON', async () => {
    await besiege('machine');
    const browser = new Browser(harness);
    const form_token = await browser.formToken();
    const { status, body } = await browser.post(
      SIGN_IN,
      { uid: 'machine', password: 'x', form_token },
      { accept: 'application/json', ...from('192.0.2.40') },
    );
    expect([status, body.code]).toEqual([429, 111]);
  });
});
