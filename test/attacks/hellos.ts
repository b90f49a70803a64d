/** Numbers of two bytes. */
export const uint16 = (...numbers: number[]): Buffer =>
  Buffer.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));

/** A vector with a length of `size` bytes. */
export function vector(size: number, ...parts: Buffer[]): Buffer {
  const length = Buffer.alloc(size);
  const bytes = Buffer.concat(parts);
  length.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([length, bytes]);
}

const extension = (type: number, content: Buffer): Buffer =>
  Buffer.concat([uint16(type), vector(2, content)]);

/** A record of TLS. @param type content type */
export const record = (data: Buffer, type = 22): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 1]), vector(2, data)]);

/** Contents of a ClientHello; GREASE values are added. */
export interface Hello {
  readonly versions?: number[];
  readonly groups?: number[];
  /** Groups of the key shares. */
  readonly shares?: number[];
}

/** A value without meaning (RFC 8701). */
export const GREASE = 0x0a0a;

/** The message ClientHello, with key shares of 4 bytes. */
export function helloMessage({ versions = [0x0304], groups = [], shares = [] }: Hello): Buffer {
  const keys = shares.map((group) => Buffer.concat([uint16(group), vector(2, Buffer.alloc(4))]));
  const extensions = [
    extension(GREASE, Buffer.alloc(0)),
    extension(43, vector(1, uint16(GREASE, ...versions))),
    extension(10, vector(2, uint16(...groups))),
    extension(13, vector(2, uint16(0x0403, 0x0804, 0x0401))),
    extension(51, vector(2, ...keys)),
  ];
  const body = Buffer.concat([
    Buffer.alloc(2 + 32, 3),
    vector(1, Buffer.alloc(32)),
    vector(2, uint16(GREASE, 0x1301)),
    vector(1, Buffer.alloc(1)),
    vector(2, ...extensions),
  ]);
  return Buffer.concat([Buffer.from([1]), vector(3, body)]);
}
