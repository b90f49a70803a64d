import { type Request } from 'express';
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
    ['', ''],
  ])('maps %s to %s', (address, key) => {
    expect(limitKeyOf(address)).toBe(key);
  });
});
