import { ResponseCache } from '../../../src/api/cache/response-cache';
import { ContentChanges } from '../../../src/database/content-changes';
import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';
import { until } from '../process/programs';

/** A server with the sample that stores responses in 1 MB of memory. */
export interface CachedServer extends Harness {
  readonly cache: ResponseCache;
  /** Number of responses from memory so far. */
  hits(): number;
  /** Executes SQL that the server does not know of. */
  sql(text: string, values?: unknown[]): Promise<unknown>;
  /** Reads a path until its response comes from memory. */
  readCached(path: string, token?: string): Promise<string>;
  /** Waits as after a write whose changes the server has to read. */
  settle(): Promise<void>;
  /** Reads a path after the changes so far are known. */
  readCurrent(path: string, token?: string): Promise<string>;
}

export async function startCachedServer(): Promise<CachedServer> {
  const harness = await startHarness({ settings: { CACHE_MB: '1', TOKEN_CACHE_SECONDS: '60' } });
  await harness.app.get(SampleService, { strict: false }).load();
  const cache = harness.app.get(ResponseCache, { strict: false });
  const changes = harness.app.get(ContentChanges, { strict: false });
  const hits = (): number => cache.statistics.hits;
  const settle = (): Promise<void> => {
    changes.wrote();
    return cache.settle();
  };
  return {
    ...harness,
    cache,
    hits,
    sql: (text, values = []) => harness.source.query(text, values),
    readCached: async (path, token) => {
      let text = '';
      await until(async () => {
        const before = hits();
        ({ text } = await harness.call(path, { token }));
        return hits() > before;
      });
      return text;
    },
    settle,
    readCurrent: async (path, token) => {
      await settle();
      return (await harness.call(path, { token })).text;
    },
  };
}
