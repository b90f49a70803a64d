import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { copyCluster } from '../../faults/postgres';
import { Workshop, type Environment, type Server } from './programs';

let workshop: Workshop;
let env: Environment;

beforeEach(async () => {
  workshop = await Workshop.open();
  env = { DATA_DIR: dataDir() };
});

afterEach(async () => {
  await workshop.clear();
  // The last process stops PostgreSQL, also after another server was killed.
  if (await databaseRuns()) await workshop.cli(env, ['migrate', 'status']);
  await workshop.close();
});

/** Its data directory is created by the first start, or copied, which is faster. */
const dataDir = (): string => join(workshop.folder, 'data');

/** Whether the embedded PostgreSQL runs. */
const databaseRuns = (): Promise<boolean> =>
  access(join(dataDir(), 'postgres', 'postmaster.pid')).then(
    () => true,
    () => false,
  );

/** Calls what the server printed to try it with. */
async function tryPrinted(server: Server): Promise<[number, Record<string, unknown>][]> {
  const lines = [...server.program.stdout.matchAll(/^ +curl (?:-H '(\w+): (.+)' )?'(http.+)'$/gm)];
  return Promise.all(
    lines.map(async ([, header, value, url]) => {
      const headers = header === undefined ? {} : { [header]: String(value) };
      const response = await fetch(String(url), { headers });
      return [response.status, (await response.json()) as Record<string, unknown>];
    }),
  );
}

const renamed = JSON.stringify({ id: '1', title: 'Renamed' });
const ANN = ['user', 'create', '--uid', 'ann', '--name', 'Ann'];

it('loads the sample once, keeps changes of users, and shares the database with commands', async () => {
  const first = await workshop.serve(env);
  const [book, search, collection] = await tryPrinted(first);
  expect(book).toMatchObject([200, { id: '1', title: '三体' }]);
  expect(search).toMatchObject([200, { start: 0, books: expect.any(Array) }]);
  expect(search?.[1].total).toBeGreaterThan(0);
  expect(collection).toMatchObject([200, { book_id: '1', user_id: '1' }]);

  const [imported, made] = await Promise.all([
    workshop.cli(env, ['import', 'book', '-'], renamed),
    workshop.result(env, ...ANN),
  ]);
  expect(JSON.parse(imported.stdout)).toMatchObject({ updated: 1, failed: 0 });
  expect(await first.get('/v2/book/1')).toMatchObject([200, { title: 'Renamed' }]);
  expect((await first.get(`/v2/book/user/${String(made.id)}/collections`))[0]).toBe(200);
  expect(await first.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(await databaseRuns()).toBe(false);

  const exported = await workshop.cli(env, ['export', 'book']);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect(exported.stdout).toMatch(/^\{"id":"1",.*"title":"Renamed"/);
  expect(await databaseRuns()).toBe(false);

  const second = await workshop.serve(env);
  expect(await tryPrinted(second)).toMatchObject([
    [200, { title: 'Renamed' }],
    [200, {}],
    [200, { book_id: '1' }],
  ]);
  expect(await second.get(`/v2/book/user/ann/collections`)).toMatchObject([200, { total: 0 }]);
  expect(await second.stop('SIGINT')).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(await databaseRuns()).toBe(false);
});

it('loads no sample in production, and prints no token', async () => {
  await copyCluster(dataDir());
  const production = { ...env, NODE_ENV: 'production', REQUIRE_HTTPS: 'false' };
  const server = await workshop.serve(production);
  expect((await server.get('/v2/book/1'))[0]).toBe(404);
  const { stdout } = await server.stop();
  expect(stdout).not.toMatch(/cpat_|Bearer/);
  expect(await workshop.cli(production, ['sample', 'token'])).toMatchObject({
    code: 1,
    stderr: 'commonplace: the database does not contain the sample\n',
  });
});

it('loads the sample in production when a setting requires it, and prints no token', async () => {
  await copyCluster(dataDir());
  const production = { ...env, NODE_ENV: 'production', REQUIRE_HTTPS: 'false', SAMPLE: 'true' };
  const server = await workshop.serve(production);
  expect(await server.get('/v2/book/1')).toMatchObject([200, { title: '三体' }]);
  const { access_token: token } = await workshop.result(production, 'sample', 'token');
  const { status } = await fetch(`${server.origin}/v2/book/1/collection`, {
    headers: { authorization: `Bearer ${String(token)}` },
  });
  expect(status).toBe(200);
  const log = await workshop.cli(production, ['audit', 'list', '--kind', 'token']);
  expect(log.stdout).toContain('token.issue');
  const { stdout } = await server.stop();
  expect(stdout).not.toMatch(/cpat_|Bearer/);
});

it('keeps what commands created before the first start', async () => {
  const made = await workshop.result(env, ...ANN);
  const imported = await workshop.cli(env, ['import', 'book', '-'], renamed);
  expect(imported.code).toBe(0);
  const server = await workshop.serve(env);
  expect(await server.get('/v2/book/1')).toMatchObject([200, { title: 'Renamed' }]);
  expect((await server.get('/v2/book/user/ann/collections'))[0]).toBe(200);
  const users = await workshop.cli(env, ['export', 'user']);
  expect(users.stdout).toContain(`{"id":"${String(made.id)}","uid":"ann","name":"Ann"`);
  await server.stop();
});
