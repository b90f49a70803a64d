import { isIPv6 } from 'node:net';
import { type Request } from 'express';
import { randomInteger } from '../../../test/random';
import { addressOf, isSecure, limitKeyOf } from './client-address';

interface Sent {
  readonly trusted: number;
  readonly for?: string;
  readonly proto?: string;
  readonly encrypted?: boolean;
}

const requestOf = ({ trusted, for: forwarded, proto, encrypted }: Sent): Request =>
  ({
    app: { get: () => trusted },
    headers: { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto },
    socket: { remoteAddress: '10.0.0.1', encrypted },
  }) as unknown as Request;

describe('addressOf', () => {
  it.each([
    [0, undefined, '10.0.0.1'],
    [0, '1.1.1.1', '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
    [1, '1.1.1.1', '1.1.1.1'],
    [1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    [2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    [2, '1.1.1.1', '1.1.1.1'],
    [1, '6.6.6.6,\t2001:db8::1 ', '2001:db8::1'],
    [1, '1.1.1.1:4711', '1.1.1.1'],
    [1, '[2001:db8::1]:4711', '2001:db8::1'],
    [1, '[2001:db8::1]', '2001:db8::1'],
    [1, '6.6.6.6, unknown', '10.0.0.1'],
    [1, '', '10.0.0.1'],
    [1, '6.6.6.6, 999.1.1.1', '10.0.0.1'],
  ])('returns, behind %i proxies and with "%s", %s', (trusted, forwarded, address) => {
    expect(addressOf(requestOf({ trusted, for: forwarded }))).toBe(address);
  });
});

describe('isSecure', () => {
  it.each([
    [0, undefined, false],
    [0, 'https', false],
    [1, undefined, false],
    [1, 'https', true],
    [1, 'HTTPS', true],
    [1, 'http', false],
    [1, 'https, http', false],
    [1, 'http, https', true],
    [2, 'https, http', true],
    [2, 'https', true],
    [3, 'https, http, https, http', false],
  ])('returns, behind %i proxies and with "%s": %s', (trusted, proto, secure) => {
    expect(isSecure(requestOf({ trusted, proto }))).toBe(secure);
  });

  it('returns true for a TLS connection', () => {
    expect(isSecure(requestOf({ trusted: 1, proto: 'http', encrypted: true }))).toBe(true);
  });
});

describe('limitKeyOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['2001:db8::ffff:192.0.2.1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::10.0.0.1', '0:0:0:0::/64'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::FFFF:192.0.2.1%1', '192.0.2.1'],
    ['', ''],
  ])('maps %s to %s', (address, key) => {
    expect(limitKeyOf(address)).toBe(key);
  });

  it.each([
    ...['unknown', ':', '::1]', '1::2::3', '::1.2.3', '::1.2.3.256', '::01.2.3.4', '%eth0'],
    'x'.repeat(20_000),
    `:${'x'.repeat(20_000)}`,
  ])('maps text that is no address to an empty key (%#)', (text) => {
    expect(limitKeyOf(text)).toBe('');
  });

  it('ignores zones of any length', () => {
    expect(limitKeyOf(`fe80::1%${'x'.repeat(20_000)}`)).toBe('fe80:0:0:0::/64');
  });

  it('maps all spellings of an address to the same key', () => {
    for (let count = 0; count < 300; count += 1) {
      const groups = randomGroups();
      const others = spellingsOf(groups).filter(
        (spelling) => !isIPv6(spelling) || limitKeyOf(spelling) !== keyOf(groups),
      );
      expect(others).toEqual([]);
    }
  });
});

/** The groups of an IPv6 address: zeros often, and the prefix of mapped IPv4 addresses. */
function randomGroups(): number[] {
  const groups = Array.from({ length: 8 }, () =>
    randomInteger() % 2 === 0 ? 0 : randomInteger() % 65_536,
  );
  return randomInteger() % 4 === 0 ? [0, 0, 0, 0, 0, 0xffff, ...groups.slice(6)] : groups;
}

/** The last two groups as a dotted quad. */
const quadOf = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .map((group) => `${group >> 8}.${group & 255}`)
    .join('.');

const keyOf = (groups: readonly number[]): string =>
  groups.slice(0, 6).every((group, at) => group === (at === 5 ? 0xffff : 0))
    ? quadOf(groups)
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`;

/** The spellings of an address (RFC 4291, section 2.2; RFC 4007, section 11). */
function spellingsOf(groups: readonly number[]): string[] {
  const short = groups.map((group) => group.toString(16));
  const long = short.map((group) => group.padStart(4, '0'));
  const spellings = [short, long, [...short.slice(0, 6), quadOf(groups)]].flatMap((words) => [
    words.join(':'),
    ...compressed(words),
  ]);
  return spellings.flatMap((text) => [text, text.toUpperCase(), `${text}%eth0`]);
}

/** The spellings that replace some consecutive zeros by `::`. */
function compressed(words: readonly string[]): string[] {
  const spellings: string[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; /^0+$/.test(words[to - 1] ?? ''); to += 1) {
      spellings.push(`${words.slice(0, from).join(':')}::${words.slice(to).join(':')}`);
    }
  }
  return spellings;
}
