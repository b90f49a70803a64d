import { openTestDatabase, startHarness, type Harness, type TestDatabase } from '../../harness';
import { migrateDown, migrationStatus } from '../../../src/database/migrate';
import { MIGRATIONS } from '../../../src/database/migrations';
import { until } from './programs';
import { Shell, type CommandResult } from './shell';

let opened: Harness;
let shell: Shell;

beforeAll(async () => {
  // It remembers tokens; commands have services of their own, and make it forget.
  opened = await startHarness({ settings: { TOKEN_CACHE_SECONDS: '60' } });
  shell = new Shell({ DATABASE_URL: opened.url });
});

afterAll(async () => {
  await opened.close();
});

/** A command that cannot be done: one line on standard error, nothing on standard output. */
function expectRefused(ended: CommandResult, message: RegExp): void {
  const { code, stdout, stderr } = ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.match(/\n/g)).toHaveLength(1);
}

const ADMINISTRATION = 'Administration1764288000000';

/** The newest migration that a database has. */
const last = async ({ source }: TestDatabase): Promise<string | undefined> =>
  (await migrationStatus(source)).filter(({ applied }) => applied).at(-1)?.name;

it('user create creates users, each uid once', async () => {
  const made = await shell.result('user', 'create', '--uid', 'ann', '--name', 'Ann 安');
  expect(made).toEqual({ id: expect.any(Number), uid: 'ann' });
  expect(await opened.source.query('SELECT id::int, uid, name FROM users')).toEqual([
    { ...made, name: 'Ann 安' },
  ]);
  const [again, digits, long, blank] = await Promise.all([
    shell.run(['user', 'create', '--uid', 'ann', '--name', 'x']),
    shell.run(['user', 'create', '--uid', '12', '--name', 'x']),
    shell.run(['user', 'create', '--uid', 'b'.repeat(101), '--name', 'x']),
    shell.run(['user', 'create', '--uid', 'bo', '--name', ' ']),
  ]);
  expectRefused(again, /^commonplace: the uid ann is already in use\n$/);
  expectRefused(digits, /^commonplace: invalid uid: 12; /);
  expectRefused(long, /^commonplace: a uid has at most 100 characters\n$/);
  expectRefused(blank, /^commonplace: a name has 1 to 100 characters, not only spaces\n$/);
  expect(await opened.source.query('SELECT uid FROM users')).toEqual([{ uid: 'ann' }]);
});

it('app create and token issue create applications and tokens, which a server accepts until they are revoked', async () => {
  await opened.source.query(`INSERT INTO users (uid, name) VALUES ('bob', 'Bob')`);
  const create = ['app', 'create', '--name', 'My\u0007 partner ', '--level', 'L2'];
  const app = await shell.result(...create, '--scopes', 'book_basic_r,book_basic_w');
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
  const token = await shell.result(
    ...[...issue, '--user', 'bob', '--scopes', 'book_basic_r', '--ttl', '600'],
  );
  expect(token).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'book_basic_r',
  });
  const secret = String(token.access_token);
  const status = async (): Promise<number> =>
    (await opened.call('/v2/book/user/bob/tags', { token: secret })).status;
  expect(await status()).toBe(200);

  expect(await shell.result('token', 'revoke', secret)).toEqual({ revoked: true });
  await until(async () => (await status()) === 401);
  const again = await shell.run(['token', 'revoke', secret]);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout)).toEqual({ revoked: false });
  expect(again.stderr).toMatch(/^commonplace: token not found.*\n$/);

  const [nobody, scope, unapproved, ttl] = await Promise.all([
    shell.run([...issue, '--user', 'nobody', '--scopes', 'book_basic_r']),
    shell.run([...issue, '--scopes', 'everything']),
    shell.run([...issue, '--scopes', 'movie_basic_r']),
    shell.run([...issue, '--scopes', 'book_basic_r', '--ttl', 'long']),
  ]);
  expectRefused(nobody, /^commonplace: .+\n/);
  expectRefused(scope, /^commonplace: unknown scopes: everything; existing scopes: /);
  expectRefused(unapproved, /^commonplace: the application is not approved for movie_basic_r\n/);
  expectRefused(ttl, /^commonplace: invalid number of seconds: long\n/);
  const tokens = 'SELECT count(*)::int AS n FROM access_tokens';
  expect(await opened.source.query(tokens)).toEqual([{ n: 1 }]);
});

it('app create rejects invalid applications', async () => {
  const [unknown, level, scope] = await Promise.all([
    shell.run(['token', 'issue', '--app', 'none', '--scopes', 'book_basic_r']),
    shell.run(['app', 'create', '--name', 'x', '--level', 'L4']),
    shell.run(['app', 'create', '--name', 'x', '--scopes', 'book_basic_r,everything']),
  ]);
  expectRefused(unknown, /^commonplace: application not found: none\n/);
  expectRefused(level, /^commonplace: unknown level: L4; allowed values: L1, L2, L3\n/);
  expectRefused(scope, /^commonplace: unknown scopes: everything; existing scopes: /);
});

describe('on an empty database', () => {
  let own: TestDatabase;
  let its: Shell;

  beforeEach(async () => {
    own = await openTestDatabase();
    its = shell.with({ DATABASE_URL: own.url });
  });

  afterEach(() => own.close());

  it('migrate status, up and down show and change the schema', async () => {
    const names = MIGRATIONS.map((migration) => new migration().name);
    const newest = names[names.length - 1];
    expect(await its.result('migrate', 'down', '--yes')).toEqual({
      reverted: newest,
      deleted: { tables: expect.any(Array), columns: expect.any(Array), rows: [] },
    });
    expect(await its.result('migrate', 'status')).toEqual({
      migrations: names.map((name) => ({ name, applied: name !== newest })),
    });
    expect(await its.result('migrate', 'up')).toEqual({ applied: [newest] });
    expect(await its.result('migrate', 'up')).toEqual({ applied: [] });
  });

  it('migrate down lists what it would delete, and requires --yes', async () => {
    await own.source.query(
      `INSERT INTO limits (name, value) VALUES ('LIMIT_ANONYMOUS', 1);
       INSERT INTO cities (id, uid, name, deleted_at) VALUES (1, 'x', 'X', now()), (2, 'y', 'Y', NULL)`,
    );
    while ((await last(own)) !== ADMINISTRATION) await migrateDown(own.source, () => undefined);
    const refused = await its.run(['migrate', 'down']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Administration1764288000000: reverting this migration deletes table audit_log \(rows: 0\), table reports /,
    );
    expect(refused.stderr).toContain('column cities.removed_at (rows with a value: 1)');
    expect(refused.stderr).toContain('column users.role (rows with a value: 0)');
    expect(refused.stderr).toMatch(/\ncommonplace: migrate down: nothing was changed; --yes .+\n$/);
    expect(await last(own)).toBe(ADMINISTRATION);
    const { deleted } = await its.result('migrate', 'down', '--yes');
    expect(deleted).toMatchObject({
      tables: [
        { table: 'audit_log', rows: 0 },
        { table: 'reports', rows: 0 },
      ],
      rows: [],
    });
    expect(await last(own)).not.toBe(ADMINISTRATION);
  });

  it('sample load loads the sample, and changes nothing on the next run', async () => {
    const first = await its.result('sample', 'load');
    // Credits say more of what films brought along: those count as updated.
    expect(first).toMatchObject({ skipped: 0, failed: 0 });
    expect(first.imported).toBeGreaterThan(200);
    expect(await its.result('sample', 'load')).toEqual({
      imported: 0,
      updated: 0,
      skipped: Number(first.imported) + Number(first.updated),
      failed: 0,
    });
    expect(await its.lines(['audit', 'list', '--kind', 'import', '--count', '1'])).toMatchObject([
      { action: 'import.end', target: 'sample', after: { imported: 0 } },
    ]);
    const applications = 'SELECT count(*)::int AS n FROM applications';
    expect(await own.source.query(applications)).toEqual([{ n: 1 }]);
  });
});
