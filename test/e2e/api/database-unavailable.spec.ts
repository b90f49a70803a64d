import { type DataSource } from 'typeorm';
import { ENTITIES } from '../../../src/server/entities';
import { makeDataSource } from '../../../src/database/data-source';
import { openTestDatabase, startHarness, type Harness, type TestDatabase } from '../../harness';
import { testSettings } from '../../settings';
import { DatabaseGate } from './database-gate';
import { DatabaseController } from './probe.errors';
import { probing } from './probe.module';
import { serveOn, type Served } from './serve-on';

const root = probing(DatabaseController);
const error = (path: string) => ({ msg: 'unknow_v2_error', code: 999, request: `GET ${path}` });

describe('a pool without a free connection (D5)', () => {
  let harness: Harness;
  beforeAll(async () => {
    const settings = {
      DATABASE_POOL: '1',
      DATABASE_CONNECT_TIMEOUT_MS: '1000',
      DATABASE_STATEMENT_TIMEOUT_MS: '200',
    };
    harness = await startHarness({ root, settings });
  });
  afterAll(() => harness.close());

  it.each(['/v2/probe/one', '/v2/probe/transaction'])(
    '%s: 503, code 999, with Retry-After, until a connection is free',
    async (path) => {
      const connection = await harness.database.pool.connect();
      try {
        const { status, body, headers } = await harness.call(path);
        expect(status).toBe(503);
        expect(body).toEqual(error(path));
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      } finally {
        connection.release();
      }
      expect((await harness.call(path)).status).toBe(200);
    },
  );

  it('a statement that exceeds its timeout: 503', async () => {
    const { status, body, headers } = await harness.call('/v2/probe/slow');
    expect([status, body]).toEqual([503, error('/v2/probe/slow')]);
    expect(headers.get('retry-after')).not.toBeNull();
  });

  it('a connection that is closed during a statement: 503, and the next request uses a new one', async () => {
    const { status, body } = await harness.call('/v2/probe/ended');
    expect([status, body]).toEqual([503, error('/v2/probe/ended')]);
    expect((await harness.call('/v2/probe/one')).status).toBe(200);
  });
});

describe('an unavailable database (D5)', () => {
  let database: TestDatabase;
  let gate: DatabaseGate;
  let source: DataSource;
  let served: Served;
  beforeAll(async () => {
    database = await openTestDatabase();
    gate = await DatabaseGate.before(database.url);
    source = makeDataSource(testSettings(), gate.url, ENTITIES);
    await source.initialize();
    served = await serveOn(source);
  });
  afterAll(async () => {
    await served.close();
    await source.destroy();
    await gate.shut();
    await database.close();
  });

  it('returns 503 with Retry-After for each request that needs it, until it is available', async () => {
    const paths = ['/v2/book/1', '/v2/book/search?q=a', '/v2/book/user/ada/tags', '/readyz'];
    expect((await served.call('/v2/book/1')).status).toBe(404);
    await gate.shut();
    for (const path of [...paths, ...paths]) {
      const response = await served.call(path);
      expect([path, response.status]).toEqual([path, 503]);
      expect(await response.json()).toEqual(error(path.replace(/\?.*/, '')));
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const token = { headers: { authorization: 'Bearer cpat_any' } };
    expect((await served.call('/v2/book/1', token)).status).toBe(503);
    expect((await served.call('/v2/book/1?apikey=any')).status).toBe(503);
    expect((await served.call('/healthz')).status).toBe(200);

    await gate.open();
    expect((await served.call('/v2/book/1')).status).toBe(404);
    expect((await served.call('/readyz')).status).toBe(200);
  });
});
