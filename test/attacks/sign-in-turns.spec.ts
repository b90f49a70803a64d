import { Browser } from '../e2e/oauth/browser';
import { atScale } from '../figures';
import { type TestResponse } from '../http';
import { Target } from './target';

const SIGN_IN = '/service/sign-in';
const PASSWORD = 'correct horse battery';

/** Addresses of clients that attack. */
const ATTACKER = '192.0.2.1';
const SECOND_ATTACKER = '192.0.2.2';

/** Attempts at once: at most 16 of an address wait. */
const ATTEMPTS = atScale(17, 10);
/** Accounts of each attacking address that have signed in before with their browsers. */
const ACCOUNTS = atScale(12, 6);
/** Attempts of one attacking address, and of two, that may end before one of another address. */
const MOST_BEFORE = 4;
const MOST_BEFORE_OF_TWO = 6;

let target: Target;
beforeAll(async () => {
  // Behind one proxy, the address of a client is what the proxy says.
  target = await Target.start({ TRUSTED_PROXIES: '1' });
});
afterAll(() => target.close());

/** Sends a sign-in with a browser that has a form's token. */
type SignIn = (uid: string, address: string, password?: string) => Promise<TestResponse>;

async function aSignIn(browser = new Browser(target)): Promise<SignIn> {
  const form_token = await browser.formToken();
  return (uid, address, password = PASSWORD) =>
    browser.post(SIGN_IN, { uid, password, form_token }, { 'x-forwarded-for': address });
}

/** Creates an account and signs out. @returns a sign-in of a browser that is known afterwards */
async function knownSignIn(uid: string): Promise<SignIn> {
  const browser = await new Browser(target).register(uid);
  await browser.signOut();
  return aSignIn(browser);
}

/**
 * Starts attempts at once and, when the first has ended, signs in from another address.
 *
 * @returns the status of that sign-in, how many attempts ended before it, and all their statuses
 */
async function signInDuring(
  start: () => Promise<TestResponse>[],
  signIn: () => Promise<TestResponse>,
): Promise<{ status: number; before: number; statuses: number[] }> {
  let ended = 0;
  const attack = start().map((attempt) => attempt.finally(() => (ended += 1)));
  await Promise.race(attack);
  const since = ended;
  const { status } = await signIn();
  const before = ended - since;
  return { status, before, statuses: (await Promise.all(attack)).map((one) => one.status) };
}

it('a sign-in does not wait for the attempts of another address', async () => {
  const guess = await aSignIn();
  await new Browser(target).register('new-browser');
  const signIn = await aSignIn();
  const { status, before, statuses } = await signInDuring(
    () => Array.from({ length: ATTEMPTS }, (_, at) => guess(`nobody-${at}`, ATTACKER)),
    () => signIn('new-browser', '198.51.100.1'),
  );
  expect(status).toBe(303);
  expect(before).toBeLessThanOrEqual(MOST_BEFORE);
  expect(new Set(statuses)).toEqual(new Set([403]));
});

it('a registration does not wait for the attempts of another address', async () => {
  const guess = await aSignIn();
  const browser = new Browser(target);
  const form_token = await browser.formToken();
  const fields = { uid: 'newcomer', password: PASSWORD, form_token };
  const { status, before, statuses } = await signInDuring(
    () => Array.from({ length: ATTEMPTS }, (_, at) => guess(`no-one-${at}`, ATTACKER)),
    () => browser.post('/service/register', fields, { 'x-forwarded-for': '198.51.100.2' }),
  );
  expect(status).toBe(303);
  expect(before).toBeLessThanOrEqual(MOST_BEFORE);
  expect(new Set(statuses)).toEqual(new Set([403]));
});

it('a known browser does not wait for the known browsers of two other addresses', async () => {
  const names = Array.from({ length: 2 * ACCOUNTS }, (_, at) => `accomplice-${at}`);
  const attackers: SignIn[] = [];
  for (const name of names) attackers.push(await knownSignIn(name));
  const signIn = await knownSignIn('known-browser');
  const { status, before, statuses } = await signInDuring(
    () =>
      attackers.map((attack, at) =>
        attack(names[at] ?? '', at % 2 === 0 ? ATTACKER : SECOND_ATTACKER),
      ),
    () => signIn('known-browser', '198.51.100.3'),
  );
  expect(status).toBe(303);
  expect(before).toBeLessThanOrEqual(MOST_BEFORE_OF_TWO);
  expect(new Set(statuses)).toEqual(new Set([303]));
});
