import { openTestDatabase, type TestDatabase } from '../../harness';
import {
  DatabaseController,
  FAILING,
  FailuresController,
  SECRET,
  UNSENT,
  UnsentController,
} from './probe.errors';
import { probing } from './probe.module';
import { serveOn, type Served } from './serve-on';

const root = probing(FailuresController, DatabaseController, UnsentController);

describe('internal errors (D5)', () => {
  let database: TestDatabase;
  let served: Served;
  beforeAll(async () => {
    database = await openTestDatabase();
    served = await serveOn(database.source, { root });
  });
  afterAll(async () => {
    await served.close();
    await database.close();
  });

  const PATHS = [
    ...FAILING.map((name) => `/v2/probe/failures/${name}`),
    '/v2/probe/nonsense',
    '/v2/probe/unwritable',
    // The deletion of a row that others refer to is no reference to a deleted row.
    '/v2/probe/used',
  ];

  it.each(PATHS)('%s: 500, code 999, without internal details', async (path) => {
    const response = await served.call(path);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      msg: 'unknow_v2_error',
      code: 999,
      request: `GET ${path}`,
    });
    const visible = text + JSON.stringify([...response.headers]);
    expect(visible).not.toMatch(/hunter2|secret|stack|\.ts|column/i);
  });

  it('an error has no header of the representation that it replaces', async () => {
    const response = await served.call('/v2/probe/unsent');
    expect(response.status).toBe(400);
    expect(Object.keys(UNSENT).filter((name) => response.headers.has(name))).toEqual([]);
  });

  it('a reference to a row that was deleted meanwhile is 404, code 1001', async () => {
    const response = await served.call('/v2/probe/orphan');
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([404, { code: 1001 }]);
    expect(text + JSON.stringify([...response.headers])).not.toMatch(/hunter2|4711|passwords/);
  });

  it('are problem documents without internal details, too', async () => {
    const headers = { accept: 'application/problem+json' };
    const response = await served.call('/v2/probe/failures/error', { headers });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: 999 });
    expect(text).not.toContain(SECRET);
  });

  it.each(['error', 'rejection'])('%s is logged with its stack', async (name) => {
    const response = await served.call(`/v2/probe/failures/${name}`);
    const id = response.headers.get('x-request-id');
    const line = await served.log.line(({ request, err }) => request === id && err !== undefined);
    expect(line.level).toBe(50);
    expect(line.err).toMatchObject({
      message: SECRET,
      stack: expect.stringContaining('probe.errors'),
    });
  });

  it('are logged at LOG_LEVEL=error', async () => {
    const quiet = await serveOn(database.source, { root, level: 'error' });
    const response = await quiet.call('/v2/probe/failures/error');
    // The log has the first error before the second response arrives.
    await response.text();
    await (await quiet.call('/v2/probe/one')).text();
    await quiet.close();
    expect(quiet.log.lines).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: SECRET }) }),
    ]);
  });

  it('do not affect later requests', async () => {
    expect((await served.call('/v2/probe/one')).status).toBe(200);
  });
});
