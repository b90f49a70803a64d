import { startHarness, type Harness } from '../../harness';
import { limited, OPEN, pairsOf } from './callers';

let harness: Harness;
const start = async (trusted: string): Promise<void> => {
  harness = await startHarness({
    root: limited,
    settings: { LIMIT_ANONYMOUS: '100', TRUSTED_PROXIES: trusted },
  });
};
afterEach(() => harness.close());

/** The remaining requests of a client with a limit of 100, after this request. */
const left = async (forwarded?: string): Promise<number | undefined> => {
  const headers: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {};
  return pairsOf(await harness.call(OPEN, { headers }))[1];
};

it('X-Forwarded-For is ignored without trusted proxies', async () => {
  await start('0');
  expect(await left()).toBe(99);
  expect(await left('192.0.2.1')).toBe(98);
  expect(await left('192.0.2.2, 192.0.2.3')).toBe(97);
});

it('only the value that the trusted proxy added to X-Forwarded-For is used', async () => {
  await start('1');
  expect(await left('192.0.2.1')).toBe(99);
  // The client invented the preceding addresses.
  expect(await left('203.0.113.1, 192.0.2.1')).toBe(98);
  expect(await left('203.0.113.2, 198.51.100.1, 192.0.2.1')).toBe(97);
  expect(await left('192.0.2.1, 192.0.2.2')).toBe(99);
  expect(await left('192.0.2.1, nonsense')).toBe(99);
  expect(await left()).toBe(98);
});

it('with two trusted proxies, the outer one determines the address', async () => {
  await start('2');
  expect(await left('203.0.113.1, 192.0.2.1, 10.0.0.1')).toBe(99);
  expect(await left('192.0.2.1, 10.0.0.2')).toBe(98);
});

it('IPv6 addresses count by /64, and mapped IPv4 addresses as IPv4', async () => {
  await start('1');
  expect(await left('2001:db8:0:1::1')).toBe(99);
  expect(await left('2001:db8:0:1:ffff::2')).toBe(98);
  expect(await left('2001:0DB8::1:0:0:0:3')).toBe(97);
  expect(await left('2001:db8:0:2::1')).toBe(99);
  expect(await left('192.0.2.1')).toBe(99);
  expect(await left('::ffff:192.0.2.1')).toBe(98);
  expect(await left('::ffff:c000:201')).toBe(97);
  expect(await left('2001:db8:0:1::192.0.2.1')).toBe(96);
  expect(await left('2001:DB8:0:1:0:0:192.0.2.2%1')).toBe(95);
});
