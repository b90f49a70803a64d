import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';

const BOOK = '/v2/book/1';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.app.get(SampleService, { strict: false }).load();
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

it('compresses for clients that accept it, with a separate ETag for each encoding', async () => {
  const plain = await read(BOOK);
  expect([plain.encoding, plain.length]).toEqual([undefined, String(plain.bytes.length)]);
  const brotli = await read(BOOK, 'gzip, deflate, br');
  const gzip = await read(BOOK, 'gzip;q=0.5');
  expect([brotli.encoding, gzip.encoding]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
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
  const book = 3;
  await harness.source.query(
    `INSERT INTO annotations (user_id, book_id, chapter, page_no, content)
     SELECT (SELECT min(id) FROM users), $1, '', n, repeat('word ', 8000) || n
     FROM generate_series(1, 60) n`,
    [book],
  );
  const path = `/v2/book/${book}/annotations?count=60`;
  const plain = await read(path);
  expect(plain.bytes.length).toBeGreaterThan(1_000_000);
  const brotli = await read(path, 'br');
  expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
  const gzip = await read(path, 'gzip');
  expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
  expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 10);
});

it('does not compress with COMPRESSION=false', async () => {
  const other = await startHarness({ settings: { COMPRESSION: 'false' } });
  try {
    await other.app.get(SampleService, { strict: false }).load();
    expect((await read(BOOK, 'br', other)).encoding).toBeUndefined();
  } finally {
    await other.close();
  }
});
