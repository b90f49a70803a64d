/** Maximum bytes of a ClientHello, and of the data of each of its records; clients send about 2 KB. */
export const MAX_HELLO_BYTES = 8192;

/** Maximum records of a ClientHello; clients that fragment it to evade filters use a few. */
const MAX_RECORDS = 16;

/** Bytes of the headers of a record and of a handshake message (RFC 8446, 5.1 and 4). */
const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;

/** Content types of records. */
const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;

/** Type of the message ClientHello. */
const CLIENT_HELLO = 1;

const SUPPORTED_GROUPS = 10;
const SUPPORTED_VERSIONS = 43;
const KEY_SHARE = 51;
const TLS_1_3 = 0x0304;

/** Numbers of groups and key shares beyond which a ClientHello is expensive; clients send a few. */
const MAX_GROUPS = 64;
const MAX_SHARES = 8;

/** Groups of key exchanges: the names of OpenSSL, and the numbers (RFC 8446, 4.2.7). */
const CURVES = [
  ['X25519', 0x001d],
  ['P-256', 0x0017],
  ['X448', 0x001e],
  ['P-521', 0x0019],
  ['P-384', 0x0018],
] as const;
/** It resists quantum computers (draft-ietf-tls-ecdhe-mlkem). */
const HYBRID = ['X25519MLKEM768', 0x11ec] as const;

/**
 * The groups that servers use, in the order of their preference. OpenSSL uses the key share of a
 * client with one of them, and otherwise requests one with HelloRetryRequest. Its own list would
 * also request one instead of a share that a client has sent, and has finite fields, with which a
 * handshake takes up to 0.1 seconds.
 *
 * @param openssl version
 */
export function groupsOf(openssl: string): ReadonlyMap<string, number> {
  const [major = 0, minor = 0] = openssl.split('.').map((part) => parseInt(part, 10));
  const hasHybrid = major > 3 || (major === 3 && minor >= 5);
  return new Map(hasHybrid ? [HYBRID, ...CURVES] : CURVES);
}

const GROUPS = groupsOf(process.versions.openssl);

/** Value of the option `ecdhCurve` of each TLS context, on which {@link inspectFirstBytes} relies. */
export const ECDH_CURVES = [...GROUPS.keys()].join(':');

/**
 * What the first bytes of a TLS connection are:
 *
 * - a number: an incomplete ClientHello; the total bytes that must arrive before the next inspection
 * - `hello`: a ClientHello after which the client sends no second one
 * - `expensive`: a ClientHello after which the server may request a second one
 *   (HelloRetryRequest); also one that is malformed
 * - `refused`: a ClientHello that is too large, in fragments that no client uses, or after
 *   ChangeCipherSpec
 * - `other`: no ClientHello; OpenSSL rejects it at once
 */
export type FirstBytes = number | 'hello' | 'expensive' | 'refused' | 'other';

/** Reads numbers and vectors of TLS. Beyond the end everything is 0 or empty, and `failed` is set. */
class Reader {
  failed = false;
  private at = 0;
  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.failed || this.at === this.bytes.length;
  }

  take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.bytes.length) this.failed = true;
    if (this.failed) return Buffer.alloc(0);
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  /** @param size bytes of the number */
  number(size: number): number {
    const bytes = this.take(size);
    return bytes.length === 0 ? 0 : bytes.readUIntBE(0, size);
  }

  /** @param size bytes of its length */
  vector(size: number): Buffer {
    return this.take(this.number(size));
  }
}

/** The numbers of a vector of two-byte numbers; empty if it is malformed. */
function numbersOf(vector: Buffer): number[] {
  const count = vector.length % 2 === 0 ? vector.length / 2 : 0;
  return Array.from({ length: count }, (_, index) => vector.readUInt16BE(index * 2));
}

/** The groups of key shares, at most one more than {@link MAX_SHARES}. */
function groupsOfShares(extension: Buffer): number[] {
  const groups: number[] = [];
  const shares = new Reader(new Reader(extension).vector(2));
  while (!shares.isAtEnd && groups.length <= MAX_SHARES) {
    const group = shares.number(2);
    shares.vector(2);
    if (!shares.failed) groups.push(group);
  }
  return groups;
}

/**
 * Whether a ClientHello is expensive, see {@link FirstBytes}.
 *
 * @param hello the message without its header
 */
function isExpensive(hello: Buffer, accepted: ReadonlyMap<string, number>): boolean {
  const reader = new Reader(hello);
  // Version and random, session id, cipher suites, compression methods (RFC 8446, 4.1.2).
  reader.take(2 + 32);
  reader.vector(1);
  reader.vector(2);
  reader.vector(1);
  if (reader.isAtEnd) return reader.failed;
  const list = new Reader(reader.vector(2));
  if (!reader.isAtEnd) return true;
  const extensions = new Map<number, Buffer>();
  while (!list.isAtEnd) extensions.set(list.number(2), list.vector(2));
  if (reader.failed || list.failed) return true;
  const contentOf = (type: number): Buffer => extensions.get(type) ?? Buffer.alloc(0);
  const versions = new Reader(contentOf(SUPPORTED_VERSIONS)).vector(1);
  if (!numbersOf(versions).includes(TLS_1_3)) return false;
  const groups = numbersOf(new Reader(contentOf(SUPPORTED_GROUPS)).vector(2));
  const shares = groupsOfShares(contentOf(KEY_SHARE));
  if (groups.length > MAX_GROUPS || shares.length > MAX_SHARES) return true;
  const numbers = new Set(accepted.values());
  return !shares.some((group) => numbers.has(group));
}

/**
 * Inspects the first bytes of a TLS connection, in linear time. It never throws.
 *
 * @param accepted see {@link groupsOf}
 */
export function inspectFirstBytes(bytes: Buffer, accepted = GROUPS): FirstBytes {
  // OpenSSL skips an empty ChangeCipherSpec record, and would read a ClientHello after it.
  if (bytes[0] === CHANGE_CIPHER_SPEC) return 'refused';
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return 'other';
  if (bytes.length < RECORD_HEADER) return RECORD_HEADER + MESSAGE_HEADER;
  if (bytes.readUInt16BE(3) < MESSAGE_HEADER) return 'refused';
  if (bytes.length < RECORD_HEADER + MESSAGE_HEADER) return RECORD_HEADER + MESSAGE_HEADER;
  if (bytes[RECORD_HEADER] !== CLIENT_HELLO) return 'other';
  const length = MESSAGE_HEADER + bytes.readUIntBE(RECORD_HEADER + 1, 3);
  if (length > MESSAGE_HEADER + MAX_HELLO_BYTES) return 'refused';
  const fragments: Buffer[] = [];
  let at = 0;
  for (let missing = length; missing > 0;) {
    if (fragments.length === MAX_RECORDS) return 'refused';
    if (at + RECORD_HEADER > bytes.length) return at + RECORD_HEADER;
    const size = bytes.readUInt16BE(at + 3);
    if (bytes[at] !== HANDSHAKE || size === 0 || size > MAX_HELLO_BYTES) return 'refused';
    const start = at + RECORD_HEADER;
    at = start + size;
    if (at > bytes.length) return at;
    fragments.push(bytes.subarray(start, at));
    missing -= size;
  }
  const [first = bytes] = fragments;
  const message = fragments.length === 1 ? first : Buffer.concat(fragments);
  return isExpensive(message.subarray(MESSAGE_HEADER, length), accepted) ? 'expensive' : 'hello';
}
