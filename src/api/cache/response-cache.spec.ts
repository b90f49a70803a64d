import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readSettings } from '../../config/settings';
import { ResponseCache } from './response-cache';
import { StoredResponse } from './stored-response';

const FEED = {
  isReading: true,
  knowsOwnChanges: false,
  read: () => Promise.resolve(true),
  keepReading: () => undefined,
};

function aCache(megabytes = 64): ResponseCache {
  const cache = new ResponseCache(readSettings({ CACHE_MB: String(megabytes) }));
  cache.connect(FEED);
  cache.trust(performance.now());
  return cache;
}

let made = 0;
/** The key of a list with other parameters than all earlier ones. */
const aKey = (): string =>
  `user 1234567 public /v2/book/user/:name/collections someone from="${(made += 1)}" total=true`;
const contentKeys = (count: number): string[] => [
  ...['users', 'series'],
  ...Array.from({ length: count }, (_, at) => `book:${1_000_000 + at}`),
];
const store = (cache: ResponseCache, keys: readonly string[]): void => {
  cache.store(aKey(), new StoredResponse('{"total":12345,"collections":[]}'), keys, cache.version);
};

/** Bytes by which the heap grows for each of 20,000 entries, by their number of content keys. */
const RESPONSES = [
  [0, 1558],
  [1, 1715],
  [10, 2003],
  [30, 2855],
  [60, 4140],
] as const;
const MARKS = [
  [0, 565],
  [1, 750],
] as const;

const expectAbout = (counted: number, measured: number): void => {
  expect(counted).toBeGreaterThan(0.7 * measured);
  expect(counted).toBeLessThan(1.3 * measured);
};

describe('the counted bytes are about those of the heap', () => {
  it.each(RESPONSES)('small response, %i content keys', (count, measured) => {
    const cache = aCache();
    store(cache, contentKeys(count));
    expectAbout(cache.statistics.bytes, measured);
  });

  it.each(MARKS)('mark, %i content keys', (count, measured) => {
    const cache = aCache();
    cache.mark(aKey(), contentKeys(count), cache.version);
    expectAbout(cache.statistics.bytes, measured);
  });
});

it('the content keys of a response still count when it gets a compressed form', async () => {
  const cache = aCache();
  const response = new StoredResponse('x'.repeat(1000));
  cache.store(aKey(), response, contentKeys(60), cache.version);
  const before = cache.statistics.bytes;
  await response.bodyOf('gzip');
  expect(cache.statistics.bytes).toBeGreaterThan(before);
});

it('CACHE_MB bounds responses with many content keys', () => {
  const cache = aCache(1);
  let last: number;
  let entries = 0;
  do {
    last = cache.statistics.bytes;
    store(cache, contentKeys(60));
    entries += 1;
  } while (cache.statistics.bytes > last);
  expect(cache.statistics.bytes).toBeLessThanOrEqual(1_048_576);
  // Each of them takes about 4 KB.
  expect(entries).toBeLessThan(350);
});

/** Bytes of the URL of a request, and the number of requests. */
const URL_BYTES = 60_000;
const REQUESTS = 500;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes by which the heap has grown after work, without garbage. */
function growthOf(work: () => void): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  work();
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}

/** A value of 13 characters from the URL of a request. */
const valueOf = (at: number): string => {
  const url = Buffer.alloc(URL_BYTES, `/v2/book/isbn/${9_780_000_000_000 + at}?`).toString();
  return url.slice(14, 27);
};

it('responses and marks in memory do not keep the URLs of their requests', () => {
  const cache = aCache();
  const bytes = growthOf(() => {
    for (let at = 0; at < REQUESTS; at += 1) {
      const value = valueOf(at);
      const response = new StoredResponse('{}');
      cache.store(`public path ${value}`, response, [`isbn:${value}`], cache.version);
      cache.mark(`user 1 path ${value}`, [`isbn:${value}`], cache.version);
    }
  });
  expect(cache.statistics.bytes).toBeGreaterThan(REQUESTS * 500);
  expect(bytes).toBeLessThan((REQUESTS * URL_BYTES) / 4);
});
