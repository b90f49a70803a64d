import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import { type IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { MAX_ACCEPT } from './header-ranges';
import { RenderedBytes, RenderedPieces, type Rendered } from './rendered-body';

/** Content encodings of responses, the preferred one first (RFC 9110, section 8.4). */
const ENCODINGS = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** Minimum bytes of a body that is compressed: a smaller one hardly becomes smaller. */
const MIN_BYTES = 1024;

/** Maximum bytes that are compressed at once, which takes less time than to wait for a thread. */
const MAX_SYNC_BYTES = 16_384;

/**
 * Maximum bytes that a thread compresses to before the event loop has to give it the next task. On
 * a busy server each task waits for its turn.
 */
const MAX_CHUNK_BYTES = 262_144;

/**
 * Quality 3 of Brotli takes less time than level 1 of gzip, and gives smaller bodies. A window of
 * 64 KB keeps the memory of a compressor small.
 */
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const GZIP = { level: 1 };

const brotliInThread = promisify(brotliCompress);
const gzipInThread = promisify<Buffer, typeof GZIP, Buffer>(gzip);

/** The encoding for a response: the one that the request accepts, for bodies of 1 KB and more. */
export function encodingFor(
  request: IncomingMessage,
  byteLength: number,
): ContentEncoding | undefined {
  const wanted = request.headers['accept-encoding'];
  if (typeof wanted !== 'string' || wanted.length > MAX_ACCEPT || byteLength < MIN_BYTES)
    return undefined;
  const accepted = accepts(request);
  return ENCODINGS.find((encoding) => accepted.encodings(encoding) === encoding);
}

/** Whether a request accepts a body without encoding, which it does unless it excludes it. */
export const acceptsIdentity = (request: IncomingMessage): boolean =>
  accepts(request).encodings('identity') === 'identity';

/** A copy if it is a small part of the memory that it keeps: a chunk has `chunkSize` bytes. */
const withoutSpareMemory = (bytes: Buffer): Buffer =>
  2 * bytes.length < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes;

/** Compresses a body, in a thread if it is large; in pieces if it is in pieces. */
export function compress(
  body: Rendered,
  encoding: ContentEncoding,
): RenderedPieces | Promise<RenderedPieces> {
  const { contentType } = body;
  const rendered = (bytes: Buffer): RenderedPieces =>
    new RenderedPieces([withoutSpareMemory(bytes)], contentType);
  const isBrotli = encoding === 'br';
  if (body instanceof RenderedPieces) {
    const options = { chunkSize: MAX_CHUNK_BYTES };
    const compressor = isBrotli
      ? createBrotliCompress({ ...BROTLI, ...options })
      : createGzip({ ...GZIP, ...options });
    return buffer(Readable.from(body.pieces).pipe(compressor)).then(rendered);
  }
  const bytes = body instanceof RenderedBytes ? body.buffer : Buffer.from(body.body);
  if (bytes.length <= MAX_SYNC_BYTES) {
    return rendered(isBrotli ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes, GZIP));
  }
  const options = { chunkSize: Math.min(bytes.length, MAX_CHUNK_BYTES) };
  const compressed = isBrotli
    ? brotliInThread(bytes, { ...BROTLI, ...options })
    : gzipInThread(bytes, { ...GZIP, ...options });
  return compressed.then(rendered);
}
