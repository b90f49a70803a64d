import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** A stream's bytes, decompressed when they are gzip, whatever the file is called. */
async function* plainBytes(input: Readable): AsyncGenerator<Buffer> {
  const iterator = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const rest = async function* (head: Buffer): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
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
  const gunzip = createGunzip();
  // Errors of either side surface at the reader of the last.
  pipeline(Readable.from(rest(head)), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Buffer>;
}

/** A stream's text, out of UTF-8, packed or not. */
export async function* decoded(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  for await (const bytes of plainBytes(input)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
