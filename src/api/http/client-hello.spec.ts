import {
  GREASE,
  type Hello,
  helloMessage,
  record,
  uint16,
  vector,
} from '../../../test/attacks/hellos';
import { groupsOf, inspectFirstBytes, MAX_HELLO_BYTES } from './client-hello';

const CURVES = { groups: [GREASE, 0x1d, 0x17, 0x18], shares: [GREASE, 0x1d] };
const NEW = groupsOf('3.5.8');
const OLD = groupsOf('3.0.19+quic');

const inspect = (hello: Hello, sets = OLD) => inspectFirstBytes(record(helloMessage(hello)), sets);

/** A record of a ClientHello that declares a length, with its first byte. */
const declaring = (length: number): Buffer => {
  const header = Buffer.from([1, length >> 16, (length >> 8) & 0xff, length & 0xff]);
  return record(Buffer.concat([header, Buffer.alloc(1)]));
};

it.each<[name: string, hello: Hello, old: string, current: string]>([
  ['a key share of a curve', CURVES, 'hello', 'hello'],
  ['TLS 1.2', { versions: [0x0303] }, 'hello', 'hello'],
  ['no key share', { groups: [0x1d] }, 'expensive', 'expensive'],
  ['no group', {}, 'expensive', 'expensive'],
  ['an unsupported group', { groups: [0x1a], shares: [0x1a] }, 'expensive', 'expensive'],
  ['a finite field', { groups: [0x100], shares: [0x100] }, 'expensive', 'expensive'],
  [
    'a finite field before a curve',
    { groups: [0x100, 0x1d], shares: [0x100, 0x1d] },
    'hello',
    'hello',
  ],
  ['P-256 without X25519', { groups: [0x1d, 0x17], shares: [0x17] }, 'hello', 'hello'],
  ['P-384 instead of P-256', { groups: [0x18, 0x17], shares: [0x18] }, 'hello', 'hello'],
  ['P-384 only', { groups: [0x18], shares: [0x18] }, 'hello', 'hello'],
  ['X25519 instead of ML-KEM', { groups: [0x11ec, 0x1d], shares: [0x1d] }, 'hello', 'hello'],
  ['ML-KEM and X25519', { groups: [0x11ec, 0x1d], shares: [0x11ec, 0x1d] }, 'hello', 'hello'],
  ['ML-KEM only', { groups: [0x11ec], shares: [0x11ec] }, 'expensive', 'hello'],
  [
    'many groups',
    { groups: [...Array<number>(64).keys(), 0x1d], shares: [0x1d] },
    'expensive',
    'expensive',
  ],
  [
    'many key shares',
    { groups: [0x1d], shares: Array<number>(9).fill(0x1d) },
    'expensive',
    'expensive',
  ],
])('a ClientHello with %s is classified', (_name, hello, old, current) => {
  expect(inspect(hello, OLD)).toBe(old);
  expect(inspect(hello, NEW)).toBe(current);
});

it('a ClientHello without extensions allows no second one', () => {
  const body = Buffer.concat([
    Buffer.alloc(2 + 32, 3),
    vector(1),
    vector(2, uint16(0x2f)),
    vector(1, Buffer.alloc(1)),
  ]);
  const hello = Buffer.concat([Buffer.from([1]), vector(3, body)]);
  expect(inspectFirstBytes(record(hello))).toBe('hello');
});

it('an incomplete ClientHello needs more bytes', () => {
  const bytes = record(helloMessage(CURVES));
  for (let length = 0; length < bytes.length; length += 1) {
    const needed = inspectFirstBytes(bytes.subarray(0, length));
    expect(needed).toBe(length < 9 ? 9 : bytes.length);
  }
  expect(inspectFirstBytes(Buffer.concat([bytes, Buffer.alloc(100)]), OLD)).toBe('hello');
});

it('a truncated ClientHello is expensive', () => {
  const body = helloMessage(CURVES).subarray(4);
  // Without compression methods and extensions it would be complete for OpenSSL.
  const end = 2 + 32 + 33 + 6 + 2;
  for (let length = 0; length < body.length; length += 1) {
    if (length === end) continue;
    const hello = Buffer.concat([Buffer.from([1]), vector(3, body.subarray(0, length))]);
    expect(inspectFirstBytes(record(hello), OLD)).toBe('expensive');
  }
});

it('a wrong byte in a ClientHello causes no error and requests no more than 8 KB', () => {
  const bytes = record(helloMessage(CURVES));
  for (let at = 0; at < bytes.length; at += 1) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const wrong = Buffer.from(bytes);
      wrong[at] = value;
      const result = inspectFirstBytes(wrong);
      if (typeof result === 'number') expect(result).toBeLessThanOrEqual(5 + MAX_HELLO_BYTES);
    }
  }
});

it('a ClientHello in a few records is read, also if they arrive in parts', () => {
  const hello = helloMessage(CURVES);
  const parts = [hello.subarray(0, 4), hello.subarray(4, 60), hello.subarray(60)];
  const bytes = Buffer.concat(parts.map((part) => record(part)));
  expect(inspectFirstBytes(bytes, OLD)).toBe('hello');
  expect(inspectFirstBytes(bytes.subarray(0, 9))).toBe(14);
  expect(inspectFirstBytes(bytes.subarray(0, 14))).toBe(70);
  expect(inspectFirstBytes(bytes.subarray(0, -1))).toBe(bytes.length);
});

const LARGEST = Buffer.concat([Buffer.from([1]), vector(3, Buffer.alloc(MAX_HELLO_BYTES))]);
const FIRST = helloMessage(CURVES).subarray(0, 10);

it.each<[name: string, bytes: Buffer]>([
  ['that declares more than 8 KB', declaring(MAX_HELLO_BYTES + 1)],
  ['that declares 131,396 bytes', declaring(131_396)],
  ['whose header is split', Buffer.concat([record(FIRST.subarray(0, 3)), record(FIRST)])],
  ['in an empty record', record(Buffer.alloc(0))],
  ['in a record of more than 8 KB', record(LARGEST)],
  ['with an empty record', Buffer.concat([record(FIRST), record(Buffer.alloc(0))])],
  ['with an alert', Buffer.concat([record(FIRST), record(Buffer.from([1, 90]), 21)])],
  ['after ChangeCipherSpec', record(Buffer.alloc(0), 20)],
  [
    'in many records',
    Buffer.concat([record(FIRST), ...Array<Buffer>(16).fill(record(Buffer.alloc(1)))]),
  ],
])('a ClientHello %s is refused', (_name, bytes) => {
  expect(inspectFirstBytes(bytes)).toBe('refused');
});

it('a ClientHello that declares 8 KB is awaited', () => {
  expect(inspectFirstBytes(declaring(MAX_HELLO_BYTES))).toBe(5 + 5 + 5);
});

it.each<[name: string, bytes: Buffer]>([
  ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\n')],
  ['a ClientHello of SSL 2', Buffer.from([0x80, 0x2e, 1, 3, 1, 0, 0x15, 0, 0, 0, 0x10])],
  ['another handshake message', record(Buffer.from([2, 0xff, 0xff, 0xff]))],
  ['an alert', record(Buffer.from([1, 90]), 21)],
])('%s is no ClientHello', (_name, bytes) => {
  expect(inspectFirstBytes(bytes)).toBe('other');
});
