import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Size of output chunks in bytes, independent of the input's chunks. */
const CHUNK = 65_536;

/** Size of decompressed chunks: Node's default of 16 KB emits four times as many events. */
const GUNZIP = { chunkSize: CHUNK } as const;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/**
 * The bytes of a stream, decompressed if they are gzip, regardless of the file name. Decompression
 * is streamed: a few chunks of 64 KB are in memory at any compression ratio.
 */
export async function* plainBytes(input: Readable): AsyncGenerator<Buffer> {
  const iterator = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const rest = async function* (head: Buffer): AsyncGenerator<Buffer> {
    yield* slices(head);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield* slices(next.value);
    }
  };
  let head = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  if (!head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) {
    yield* rest(head);
    return;
  }
  const gunzip = createGunzip(GUNZIP);
  // Errors of both streams reach the reader of the last one.
  pipeline(Readable.from(rest(head)), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Buffer>;
}
