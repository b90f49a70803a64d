import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readSettings } from '../../config/settings';
import { ResponseCache } from '../cache/response-cache';
import { StoredResponse } from '../cache/stored-response';
import { copyString } from './copy-string';

/** Bytes of the URL of a request, and the number of requests. */
const URL_BYTES = 60_000;
const REQUESTS = 500;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const FEED = { isReading: true, read: () => Promise.resolve(true), keepReading: () => undefined };

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

it.each(['', 'plain', '\u0000ÿ', '三体', '\ud83d', 'a\udc00b'])(
  'a copy of %j equals it',
  (text) => {
    expect(copyString(text)).toBe(text);
  },
);

it('responses and marks in memory do not keep the URLs of their requests', () => {
  const cache = new ResponseCache(readSettings({ CACHE_MB: '64' }));
  cache.connect(FEED);
  cache.trust(performance.now());
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
