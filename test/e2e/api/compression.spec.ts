import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

const RECORD = { id: 1, summary: 'A summary. '.repeat(100) };
const BOOK = '/v2/book/1';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await new Factories(harness.database).aBook(RECORD);
});
afterAll(() => harness.close());

interface Raw {
  readonly encoding: string | undefined;
  readonly tag: string | undefined;
  readonly length: string | undefined;
  readonly bytes: Buffer;
}

/** Calls with `Accept-Encoding`, and reads the bytes as they were sent. */
function read(path: string, accept?: string, { origin } = harness): Promise<Raw> {
  const headers = accept === undefined ? {} : { 'accept-encoding': accept };
  return new Promise((resolve, reject) => {
    request(origin + path, { headers, agent: false }, (response) => {
      const {
        'content-encoding': encoding,
        'content-length': length,
        etag: tag,
      } = response.headers;
      buffer(response).then((bytes) => resolve({ encoding, tag, length, bytes }), reject);
    })
      .on('error', reject)
      .end();
  });
}

/** Compares bytes; `toEqual` compares large buffers element by element, for seconds. */
function expectBytes(actual: Buffer, expected: Buffer): void {
  expect(actual.equals(expected)).toBe(true);
}

it('compresses for clients that accept it, with a separate ETag for each encoding', async () => {
  const plain = await read(BOOK);
  expect([plain.encoding, plain.length]).toEqual([undefined, String(plain.bytes.length)]);
  const brotli = await read(BOOK, 'gzip, deflate, br');
  const gzip = await read(BOOK, 'gzip;q=0.5');
  expect([brotli.encoding, gzip.encoding]).toEqual(['br', 'gzip']);
  expectBytes(brotliDecompressSync(brotli.bytes), plain.bytes);
  expectBytes(gunzipSync(gzip.bytes), plain.bytes);
  for (const { bytes, length } of [brotli, gzip]) {
    expect(length).toBe(String(bytes.length));
    expect(bytes.length).toBeLessThan(plain.bytes.length);
  }
  expect(new Set([plain.tag, brotli.tag, gzip.tag]).size).toBe(3);
});

it('does not compress small bodies, or with encodings that the client rejects', async () => {
  for (const accept of ['identity', 'br;q=0, gzip;q=0', 'compress', '']) {
    expect([accept, (await read(BOOK, accept)).encoding]).toEqual([accept, undefined]);
  }
  expect((await read(`${BOOK}?fields=id`, 'br')).encoding).toBeUndefined();
});

it('compresses a large list', async () => {
  const make = new Factories(harness.database);
  const [book, { id: author }] = [await make.aBook(), await make.aUser()];
  await harness.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT $2, $1, '', n, repeat('word ', 8000) || n
     FROM generate_series(1, 60) n`,
    [book, author],
  );
  const path = `/v2/book/${book}/annotations?count=60`;
  const plain = await read(path);
  expect(plain.bytes.length).toBeGreaterThan(1_000_000);
  const brotli = await read(path, 'br');
  expectBytes(brotliDecompressSync(brotli.bytes), plain.bytes);
  const gzip = await read(path, 'gzip');
  expectBytes(gunzipSync(gzip.bytes), plain.bytes);
  expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 10);
});

it('does not compress with COMPRESSION=false', async () => {
  const other = await startHarness({ settings: { COMPRESSION: 'false' } });
  try {
    await new Factories(other.database).aBook(RECORD);
    expect((await read(BOOK, 'br', other)).encoding).toBeUndefined();
  } finally {
    await other.close();
  }
});
