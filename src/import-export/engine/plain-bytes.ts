import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Bytes that are passed on at once, whatever the size of the input's own chunks. */
const CHUNK = 65_536;

/** Decompressed bytes of each chunk: Node's default of 16 KB costs four times the events. */
const GUNZIP = { chunkSize: CHUNK } as const;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/**
 * A stream's bytes, decompressed when they are gzip, whatever the file is called. Decompression is
 * streamed: whatever the ratio, a few chunks of 64 KB are in memory.
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
  // Errors of either side surface at the reader of the last.
  pipeline(Readable.from(rest(head)), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Buffer>;
}
