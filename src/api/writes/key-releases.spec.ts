import { setImmediate } from 'node:timers/promises';
import { unavailable } from '../errors/error-codes';
import { type Attempt } from './idempotency';
import { KeyReleases } from './key-releases';

/** A database that is down until the test says otherwise. */
let isDown: boolean;
let released: string[];
let tried: string[];
let releases: KeyReleases;
beforeEach(() => {
  isDown = true;
  [released, tried] = [[], []];
  releases = new KeyReleases();
});
afterEach(() => jest.restoreAllMocks());

const attemptOf = (
  key: string,
  refusal = unavailable(new Error('no connection')),
  hasClaimed = () => true,
): Attempt => ({
  mayHaveClaimed: true,
  begin: () => Promise.resolve({ state: 'fresh' }),
  storeResponse: () => Promise.resolve(),
  release: () => {
    tried.push(key);
    if (isDown) return Promise.reject(refusal);
    if (hasClaimed()) released.push(key);
    return Promise.resolve(hasClaimed());
  },
});

it('releases a key at once', async () => {
  isDown = false;
  await releases.release(attemptOf('a'));
  expect(released).toEqual(['a']);
});

it('releases keys when the database is back, and tries one at a time until then', async () => {
  await Promise.all(['a', 'b', 'c'].map((key) => releases.release(attemptOf(key))));
  tried = [];
  while (tried.length < 2) await setImmediate();
  expect(tried).toEqual(['a', 'a']);
  isDown = false;
  while (released.length < 3) await setImmediate();
  expect(released).toEqual(['a', 'b', 'c']);
});

it('releases the keys that wait when the service stops', async () => {
  await releases.release(attemptOf('a'));
  isDown = false;
  await releases.stop();
  expect(released).toEqual(['a']);
});

it('the stop does not wait for the database', async () => {
  await releases.release(attemptOf('a'));
  await releases.stop();
  expect(released).toEqual([]);
  expect(tried).toEqual(['a', 'a']);
});

it('releases a key that is claimed after the first attempt', async () => {
  isDown = false;
  let isClaimed = false;
  releases.releaseUnacknowledged(attemptOf('a', undefined, () => isClaimed));
  while (tried.length < 1) await setImmediate();
  expect(released).toEqual([]);
  isClaimed = true;
  while (released.length < 1) await setImmediate();
  await releases.stop();
  expect(tried).toEqual(['a', 'a']);
});

it('releases a key whose claim was lost, also after an outage of more than a minute', async () => {
  releases.releaseUnacknowledged(attemptOf('a'));
  while (tried.length < 1) await setImmediate();
  const later = performance.now() + 61_000;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  isDown = false;
  while (released.length < 1) await setImmediate();
  expect(released).toEqual(['a']);
});

it('tries once to release a key that another attempt has taken over', async () => {
  isDown = false;
  await releases.release(attemptOf('a', undefined, () => false));
  await releases.stop();
  expect(tried).toEqual(['a']);
});

it('tries once when the release itself fails', async () => {
  const attempt = attemptOf('a', new Error('syntax') as never);
  await releases.release(attempt);
  await releases.stop();
  expect(tried).toEqual(['a']);
});
