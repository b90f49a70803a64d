import { PasswordHasher } from '../../src/accounts/passwords';
import { Browser } from '../e2e/oauth/browser';
import { atScale, figure } from '../figures';
import { startHarness, type Harness } from '../harness';

/** Sign-ins of each kind of user. */
const ROUNDS = atScale(60, 1);

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ settings: { TRUSTED_PROXIES: '1' }, costlyPasswords: true });
  await new Browser(harness).register('known');
  await harness.source.query(`INSERT INTO users (uid, name) VALUES ('nokey', 'No password')`);
});
afterAll(() => harness.close());

const median = (times: number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

it('a wrong password takes the same time for unknown users, users without a password, and others', async () => {
  const hasher = harness.app.get(PasswordHasher, { strict: false });
  const derived = jest.spyOn(hasher, 'verify');
  const browser = new Browser(harness);
  const form_token = await browser.formToken();
  const kinds = ['known', 'unknown', 'nokey', 'no uid at all'];
  const times = new Map<string, number[]>(kinds.map((uid) => [uid, []]));
  let address = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const uid of kinds) {
      address += 1;
      const startedAt = performance.now();
      const { status } = await browser.post(
        '/service/sign-in',
        { uid, password: 'not the password', form_token },
        { 'x-forwarded-for': `198.51.100.${address % 250}` },
      );
      times.get(uid)?.push(performance.now() - startedAt);
      expect([uid, status]).toEqual([uid, 403]);
    }
  }
  // Each attempt derives one password, for known and unknown users.
  expect(derived).toHaveBeenCalledTimes(ROUNDS * kinds.length);
  const usual = median(times.get('known') ?? []);
  for (const uid of kinds.slice(1)) {
    const ratio = median(times.get(uid) ?? []) / usual;
    figure(
      `sign-in of "${uid}" to one of a known user: ratio of times`,
      Math.max(ratio, 1 / ratio),
      {
        atMost: 1.2,
      },
    );
  }
});
