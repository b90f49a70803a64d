import { callAt, openTestDatabase, type TestDatabase } from '../../harness';
import { Workshop, until, type Environment, type Server } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
let env: Environment;
let server: Server;
beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  env = { DATABASE_URL: opened.url };
  server = await workshop.serve({ ...env, TOKEN_CACHE_SECONDS: '300' });
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});

const run = (...args: string[]) => workshop.result(env, ...args);

it('makes the first administrator, whose token works until the role is gone', async () => {
  await run('user', 'create', '--uid', 'ann', '--name', 'Ann');
  const scopes = ['--scopes', 'admin'];
  const made = await run('app', 'create', '--name', 'Console', '--scopes', 'book_basic_r');
  const clientId = String(made.client_id);
  await run('app', 'approve', clientId, ...scopes);
  expect(await run('user', 'role', 'ann', 'administrator')).toEqual({
    uid: 'ann',
    role: 'administrator',
  });
  await run('user', 'create', '--uid', 'bob', '--name', 'Bob');
  await run('user', 'role', 'bob', 'administrator');
  const issued = await run('token', 'issue', '--app', clientId, '--user', 'ann', ...scopes);
  const token = String(issued.access_token);
  const status = async () => (await callAt(server.origin)('/admin/v1/audit', { token })).status;
  expect(await status()).toBe(200);
  await run('user', 'role', 'ann', 'member');
  await until(async () => (await status()) === 403);

  const last = await workshop.cli(env, ['user', 'role', 'bob', 'member']);
  expect([last.code, last.stderr]).toEqual([1, 'commonplace: this is the last administrator\n']);
  const rows: { actor: string; action: string }[] = await opened.source.query(
    'SELECT actor, action FROM audit_log ORDER BY id',
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'application.approve',
    'user.role',
    'user.role',
    'user.role',
  ]);
  for (const { actor } of rows) expect(actor).toMatch(/^cli/);
});
