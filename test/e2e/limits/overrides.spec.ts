import { LIMIT_NAMES } from '../../../src/config/limit-settings';
import { LimitsService } from '../../../src/limits/limits.service';
import { type ApplicationDetails } from '../../../src/oauth/applications.repository';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { insertTestKey } from '../../../src/oauth/test-keys';
import { startHarness, type Harness } from '../../harness';
import { until, Workshop, type Environment } from '../process/programs';
import { Shell } from '../process/shell';
import { limited, NO_LIMIT, OPEN, pairsOf } from './callers';

let workshop: Workshop;
let harness: Harness;
let env: Environment;
let shell: Shell;
beforeAll(async () => {
  workshop = await Workshop.open();
  harness = await startHarness({
    root: limited,
    settings: { LIMIT_ANONYMOUS: '100', LIMIT_USER_L1: '50', TOKEN_CACHE_SECONDS: '60' },
  });
  env = { DATABASE_URL: harness.url, LIMIT_ANONYMOUS: '100', LIMIT_USER_L1: '50' };
  shell = new Shell(env);
});
afterAll(async () => {
  await workshop.close();
  await harness.close();
});

const limitOf = async (token?: string): Promise<number | undefined> =>
  pairsOf(await harness.call('/v2/rate_limit', { token }))[0];
const becomes = (limit: number, token?: string): Promise<void> =>
  until(async () => (await limitOf(token)) === limit);

it('the table of limits overrides the settings in running servers, and keeps the counters', async () => {
  for (let call = 0; call < 3; call += 1) await harness.call(OPEN);
  expect(await limitOf()).toBe(100);
  await harness.source.query(`INSERT INTO limits VALUES ('LIMIT_ANONYMOUS', 3)`);
  await becomes(3);
  expect((await harness.call(OPEN)).status).toBe(429);
  await harness.source.query(`UPDATE limits SET value = 4`);
  await becomes(4);
  // The refused call was not counted: there is one left.
  expect((await harness.call(OPEN)).status).toBe(200);
  expect((await harness.call(OPEN)).status).toBe(429);
  await harness.source.query(`UPDATE limits SET value = 0`);
  await becomes(Number(NO_LIMIT));
  expect((await harness.call(OPEN)).status).toBe(200);
  await harness.source.query('DELETE FROM limits');
  await becomes(100);
});

it('the table is read at start', async () => {
  await harness.source.query(`INSERT INTO limits VALUES ('LIMIT_ANONYMOUS', 7)`);
  const server = await workshop.serve(env);
  const response = await fetch(`${server.origin}/v2/rate_limit`);
  expect(response.headers.get('x-ratelimit-limit')).toBe('7');
  await server.stop();
  await harness.source.query('DELETE FROM limits');
  await becomes(100);
});

it('an application can have a limit of its own', async () => {
  const token = await harness.token();
  const set = (value: number | null): Promise<unknown> =>
    harness.source.query('UPDATE applications SET limit_per_hour = $1', [value]);
  expect(await limitOf(token)).toBe(50);
  await set(2);
  await becomes(2, token);
  for (const status of [200, 200, 429]) {
    expect((await harness.call(OPEN, { token })).status).toBe(status);
  }
  const { headers, body } = await harness.call(OPEN, { token });
  expect(body.code).toBe(111);
  expect(headers.get('x-error-detail')).toContain("the application's own limit");
  await set(0);
  await becomes(Number(NO_LIMIT), token);
  expect((await harness.call(OPEN, { token })).status).toBe(200);
  await set(null);
  await becomes(50, token);
});

it('the command line lists, sets and resets limits', async () => {
  const listed = await shell.result('limit', 'list');
  expect(listed.limits).toEqual(
    LIMIT_NAMES.map((name) => ({
      name,
      value: { LIMIT_ANONYMOUS: 100, LIMIT_USER_L1: 50 }[String(name)] ?? 0,
      from: 'settings',
    })),
  );
  const set = await shell.result('limit', 'set', 'LIMIT_ANONYMOUS', '12');
  expect(set).toEqual({ name: 'LIMIT_ANONYMOUS', value: 12 });
  await becomes(12);
  const after = await shell.result('limit', 'list');
  expect((after.limits as unknown[])[0]).toEqual({
    name: 'LIMIT_ANONYMOUS',
    value: 12,
    from: 'database',
  });
  const reset = await shell.result('limit', 'reset', 'LIMIT_ANONYMOUS');
  expect(reset).toEqual({ name: 'LIMIT_ANONYMOUS', value: null });
  await becomes(100);
});

it('the command line gives an application its limit, and takes it back', async () => {
  const token = await harness.token();
  const [{ client_id: id }] = await harness.source.query(
    'SELECT client_id FROM applications ORDER BY id DESC LIMIT 1',
  );
  const set = await shell.result('app', 'limit', id, '--per-hour', '9');
  expect(set).toEqual({ client_id: id, limit_per_hour: 9 });
  await becomes(9, token);
  await shell.result('app', 'limit', id, '--default');
  await becomes(50, token);
});

it('a test key always has the limit of its application (D171)', async () => {
  await harness.token();
  const [{ id, client_id: client }] = await harness.source.query(
    'SELECT id::float8 AS id, client_id FROM applications ORDER BY id DESC LIMIT 1',
  );
  const testKey = 'c'.repeat(24);
  const limits = (): Promise<unknown> =>
    harness.source.query(
      'SELECT limit_per_hour AS own FROM applications WHERE id = $1 OR test_of = $1 ORDER BY id',
      [id],
    );
  await shell.result('app', 'limit', client, '--per-hour', '9');
  await harness.database.transaction((executor) => insertTestKey(executor, id, testKey));
  expect(await limits()).toEqual([{ own: 9 }, { own: 9 }]);
  await shell.result('app', 'limit', client, '--per-hour', '5');
  expect(await limits()).toEqual([{ own: 5 }, { own: 5 }]);
  const refused = await shell.run(['app', 'limit', testKey, '--per-hour', '900']);
  expect(refused.stderr).toContain('the limit of a test key is that of its application');
  expect(await limits()).toEqual([{ own: 5 }, { own: 5 }]);
  await shell.result('app', 'limit', client, '--default');
  expect(await limits()).toEqual([{ own: null }, { own: null }]);
});

it('a test key that is created during a change of the limit has the new one', async () => {
  await harness.token();
  const [row] = await harness.source.query(
    'SELECT client_id FROM applications ORDER BY id DESC LIMIT 1',
  );
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const application = (await applications.details(row.client_id)) as ApplicationDetails;
  const service = harness.app.get(LimitsService, { strict: false });
  let changing: Promise<void> | undefined;
  await applications.createTestKey(application, async () => {
    // The test key is not committed yet.
    changing = service.setApplication(row.client_id, 7);
    await until(async () => {
      const waiting = await harness.source.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE '%applications%'`,
      );
      return waiting.length > 0;
    });
  });
  await changing;
  expect(
    await harness.source.query(
      `SELECT t.limit_per_hour AS own FROM applications t JOIN applications a ON a.id = t.test_of
       WHERE a.client_id = $1`,
      [row.client_id],
    ),
  ).toEqual([{ own: 7 }]);
});

it('the command line rejects invalid values in one line', async () => {
  const responses = await Promise.all(
    [
      ['limit', 'set', 'LIMIT_NOTHING', '1'],
      ['limit', 'set', 'LIMIT_ADDRESS', '-1'],
      ['limit', 'set', 'LIMIT_ADDRESS', '2000000001'],
      ['limit', 'reset', 'LIMIT_NOTHING'],
      ['app', 'limit', 'nobody', '--per-hour', '1'],
      ['app', 'limit', 'nobody'],
      ['limit'],
    ].map((args) => shell.run(args)),
  );
  expect(responses.map(({ code, stdout }) => [code, stdout])).toEqual(responses.map(() => [1, '']));
  expect(responses.map(({ stderr }) => stderr)).toEqual([
    expect.stringMatching(/^commonplace: limit not found: LIMIT_NOTHING; existing limits: LIMIT_/),
    expect.stringMatching(/-1/),
    expect.stringMatching(
      /^commonplace: a limit must be an integer from 0 \(unlimited\) to 2000000000\n$/,
    ),
    expect.stringMatching(/^commonplace: limit not found: LIMIT_NOTHING; existing limits: LIMIT_/),
    expect.stringMatching(/^commonplace: application not found: nobody\n$/),
    expect.stringMatching(/^commonplace: app limit: either --per-hour or --default is required\n$/),
    expect.stringMatching(
      /^commonplace: limit: a subcommand is required; existing subcommands: list, show, set, reset\n$/,
    ),
  ]);
  expect(await harness.source.query('SELECT * FROM limits')).toEqual([]);
});
