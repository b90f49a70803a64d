import { Browser } from '../e2e/oauth/browser';
import { atScale, figure } from '../figures';
import { type TestResponse, type Call } from '../http';
import { Target } from './target';

const SIGN_IN = '/service/sign-in';
const PASSWORD = 'correct horse battery';

/** Sign-ins, how many of them at once, and addresses that they come from. */
const SIGN_INS = atScale(3000, 12);
const AT_ONCE = atScale(200, 12);
const ADDRESSES = atScale(300, 20);

let target: Target;
let call: Call;
beforeAll(async () => {
  // Behind one proxy, the address of a client is what the proxy says.
  target = await Target.start({ TRUSTED_PROXIES: '1' });
  call = (path, { headers, ...options } = {}) =>
    target.call(path, { ...options, headers: { connection: 'close', ...headers } });
});
afterAll(() => target.close());

/**
 * Signs in repeatedly, with `AT_ONCE` concurrent attempts. `password` returns the password of an
 * attempt.
 */
async function flood(uid: string, password: (at: number) => string): Promise<TestResponse[]> {
  const browser = new Browser({ call });
  const form_token = await browser.formToken();
  const responses: TestResponse[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < SIGN_INS) {
      const at = next;
      next += 1;
      const fields = { uid, password: password(at), form_token };
      const address = `198.51.${(at % ADDRESSES) >> 8}.${(at % ADDRESSES) & 255}`;
      responses.push(await browser.post(SIGN_IN, fields, { 'x-forwarded-for': address }));
      // A successful sign-in replaces the session of the form.
      browser.forget('commonplace_device');
      browser.plant(cookie);
    }
  };
  const { cookie } = browser;
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return responses;
}

const statusesOf = (responses: readonly TestResponse[]): number[] => [
  ...new Set(responses.map(({ status }) => status)),
];

describe.each([
  { which: 'wrong', password: (at: number) => `guess ${at}` },
  { which: 'right', password: () => PASSWORD },
])('a flood of sign-ins with $which passwords', ({ which, password }) => {
  const uid = `flooded-${which}`;

  it("does not affect /healthz, static files and the sign-in of the account's owner", async () => {
    const owner = await new Browser({ call }).register(uid);
    await owner.signOut();
    const seconds = { file: 0, owner: 0 };
    const responses = await target.attack(`sign-ins with ${which} passwords`, async () => {
      const flooding = flood(uid, password);
      const startedAt = performance.now();
      const since = (): number => (performance.now() - startedAt) / 1000;
      // A file needs a thread of the pool that passwords are derived in.
      const file = await call('/pictures/sample/books/1-s.jpg');
      seconds.file = since();
      // The owner's browser signed in before.
      const entered = await owner.signIn(uid, PASSWORD);
      seconds.owner = since();
      const all = await flooding;
      expect([file.status, entered.status]).toEqual([200, 303]);
      return all;
    });
    expect(responses).toHaveLength(SIGN_INS);
    const allowed = [which === 'right' ? 303 : 403, 429, 503];
    expect(statusesOf(responses).filter((status) => !allowed.includes(status))).toEqual([]);
    const derived = responses.filter(({ status }) => status === 303 || status === 403);
    // Attempts that the counters allow: wrong and right passwords of a user, and running attempts.
    expect(derived.length).toBeLessThanOrEqual(which === 'right' ? 60 + 66 : 100);
    expect(derived.length).toBeGreaterThan(0);
    const busy = responses.filter(({ status }) => status === 503);
    expect(busy.filter(({ headers }) => headers.get('retry-after') === null)).toEqual([]);
    // Each tells how long to wait, and asks for a proof of work.
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited.filter(({ text }) => !text.includes('id="challenge"'))).toEqual([]);
    figure(`a file under ${which} passwords: s`, seconds.file, { atMost: 2 });
    figure(`the owner's sign-in under ${which} passwords: s`, seconds.owner, { atMost: 10 });
  });
});
