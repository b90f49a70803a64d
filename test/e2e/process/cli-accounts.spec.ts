import { openTestDatabase, type TestDatabase } from '../../harness';
import { MIGRATIONS } from '../../../src/database/migrations';
import { until, Workshop, type Ended, type Environment } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
let env: Environment;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  env = { DATABASE_URL: opened.url };
});

afterAll(async () => {
  await workshop.close();
  await opened.close();
});

/** A command that cannot be done: one line on standard error, nothing on standard output. */
function expectRefused(ended: Ended, said: RegExp): void {
  const { code, signal, stdout, stderr } = ended;
  expect({ code, signal, stdout }).toEqual({ code: 1, signal: null, stdout: '' });
  expect(stderr).toMatch(said);
  expect(stderr.match(/\n/g)).toHaveLength(1);
}

it('makes users, each uid once', async () => {
  const made = await workshop.result(env, 'user', 'create', '--uid', 'ann', '--name', 'Ann 安');
  expect(made).toEqual({ id: expect.any(Number), uid: 'ann' });
  expect(await opened.source.query('SELECT id::int, uid, name FROM users')).toEqual([
    { ...made, name: 'Ann 安' },
  ]);
  const [again, digits] = await Promise.all([
    workshop.cli(env, ['user', 'create', '--uid', 'ann', '--name', 'x']),
    workshop.cli(env, ['user', 'create', '--uid', '12', '--name', 'x']),
  ]);
  expectRefused(again, /^commonplace: the uid ann is taken\n$/);
  expectRefused(digits, /^commonplace: 12 is no uid: /);
  expect(await opened.source.query('SELECT uid FROM users')).toEqual([{ uid: 'ann' }]);
});

it('makes applications, and tokens that a server takes until they are revoked', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('bob', 'Bob')`);
  const create = ['app', 'create', '--name', 'My partner', '--level', 'L2'];
  const app = await workshop.result(env, ...create, '--scopes', 'book_basic_r,book_basic_w');
  expect(app).toEqual({
    client_id: expect.stringMatching(/^\w+$/),
    client_secret: expect.stringMatching(/^cpcs_[\w-]{43}$/),
    name: 'My partner',
    level: 'L2',
    scopes: ['book_basic_r', 'book_basic_w'],
    redirect_uris: [],
    public: false,
  });
  const issue = ['token', 'issue', '--app', String(app.client_id)];
  const token = await workshop.result(
    env,
    ...[...issue, '--user', 'bob', '--scopes', 'book_basic_r', '--ttl', '600'],
  );
  expect(token).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'book_basic_r',
  });
  const secret = String(token.access_token);
  // It remembers the token; the command, another process, makes it forget.
  const server = await workshop.serve({ ...env, TOKEN_CACHE_SECONDS: '60' });
  const status = async (): Promise<number> =>
    (await server.get('/v2/book/user/bob/tags', { authorization: `Bearer ${secret}` }))[0];
  expect(await status()).toBe(200);

  expect(await workshop.result(env, 'token', 'revoke', secret)).toEqual({ revoked: true });
  await until(async () => (await status()) === 401);
  const again = await workshop.cli(env, ['token', 'revoke', secret]);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout)).toEqual({ revoked: false });
  expect(again.stderr).toMatch(/^commonplace: there is no such token.*\n$/);
  await server.stop();

  const [nobody, scope, unapproved, ttl] = await Promise.all([
    workshop.cli(env, [...issue, '--user', 'nobody', '--scopes', 'book_basic_r']),
    workshop.cli(env, [...issue, '--scopes', 'everything']),
    workshop.cli(env, [...issue, '--scopes', 'movie_basic_r']),
    workshop.cli(env, [...issue, '--scopes', 'book_basic_r', '--ttl', 'long']),
  ]);
  expectRefused(nobody, /^commonplace: .+\n/);
  expectRefused(scope, /^commonplace: no such scope: everything; there are /);
  expectRefused(unapproved, /^commonplace: the application is not approved for movie_basic_r\n/);
  expectRefused(ttl, /^commonplace: not a number of seconds: long\n/);
  const tokens = 'SELECT count(*)::int AS n FROM access_tokens';
  expect(await opened.source.query(tokens)).toEqual([{ n: 1 }]);
});

it('refuses applications that cannot be', async () => {
  const [unknown, level, scope] = await Promise.all([
    workshop.cli(env, ['token', 'issue', '--app', 'none', '--scopes', 'book_basic_r']),
    workshop.cli(env, ['app', 'create', '--name', 'x', '--level', 'L4']),
    workshop.cli(env, ['app', 'create', '--name', 'x', '--scopes', 'book_basic_r,everything']),
  ]);
  expectRefused(unknown, /^commonplace: no such application: none\n/);
  expectRefused(level, /^commonplace: no such level: L4; there are L1, L2, L3\n/);
  expectRefused(scope, /^commonplace: no such scope: everything; there are /);
});

describe('on a database of its own', () => {
  let own: TestDatabase;
  let its: Environment;

  beforeEach(async () => {
    own = await openTestDatabase();
    its = { DATABASE_URL: own.url };
  });

  afterEach(() => own.close());

  it('says where the schema stands, and moves it', async () => {
    const names = MIGRATIONS.map((migration) => new migration().name);
    const newest = names[names.length - 1];
    expect(await workshop.result(its, 'migrate', 'down')).toEqual({ reverted: newest });
    expect(await workshop.result(its, 'migrate', 'status')).toEqual({
      migrations: names.map((name) => ({ name, applied: name !== newest })),
    });
    expect(await workshop.result(its, 'migrate', 'up')).toEqual({ applied: [newest] });
    expect(await workshop.result(its, 'migrate', 'up')).toEqual({ applied: [] });
  });

  it('loads the sample, and finds nothing to do when it is there', async () => {
    const first = await workshop.result(its, 'sample', 'load');
    // Credits say more of what films brought along: those count as updated.
    expect(first).toMatchObject({ skipped: 0, failed: 0 });
    expect(first.imported).toBeGreaterThan(200);
    expect(await workshop.result(its, 'sample', 'load')).toEqual({
      imported: 0,
      updated: 0,
      skipped: Number(first.imported) + Number(first.updated),
      failed: 0,
    });
    const applications = 'SELECT count(*)::int AS n FROM applications';
    expect(await own.source.query(applications)).toEqual([{ n: 1 }]);
  });
});
