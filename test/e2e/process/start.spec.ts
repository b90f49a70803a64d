import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { databaseAt } from '../../settings';
import { until, Workshop } from './programs';
import { Proxy } from './proxy';

let workshop: Workshop;
let opened: TestDatabase;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
});

afterAll(async () => {
  await workshop.close();
  await opened.close();
});

afterEach(() => workshop.clear());

async function withPortTaken<T>(work: (port: number) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

it('migrates an external database, and loads no sample', async () => {
  await opened.source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const server = await workshop.serve({ DATABASE_URL: opened.url });
  expect(await server.get('/readyz')).toEqual([200, { status: 'ready' }]);
  const [sessions] = await opened.source.query<unknown[]>(
    `SELECT (SELECT count(*)::int FROM books) + (SELECT count(*)::int FROM users)
       + (SELECT count(*)::int FROM applications) + (SELECT count(*)::int FROM access_tokens) AS n`,
  );
  expect(sessions).toEqual({ n: 0 });
  const { stdout, stderr } = await server.stop();
  expect(stdout).toMatch(/^Commonplace serves on http:\/\/localhost:\d+ /);
  expect(stdout).not.toMatch(/curl|Bearer/);
  expect(stderr).toBe('');
});

it('also starts as a command', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url }, 'cli');
  expect(await server.get('/readyz')).toEqual([200, { status: 'ready' }]);
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('uses the assigned port in its addresses', async () => {
  const book = await new Factories(opened.database).aBook();
  const server = await workshop.serve({ DATABASE_URL: opened.url, PORT: '0' });
  const url = `http://localhost:${server.port}/v2/book/${book}`;
  expect(await server.get(`/v2/book/${book}`)).toMatchObject([200, { url }]);
});

it('logs each request as a JSON line without secrets', async () => {
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    NODE_ENV: 'production',
    REQUIRE_HTTPS: 'false',
  });
  const { headers } = await fetch(`${server.origin}/v2/book/1?apikey=secret1&fields=title`, {
    headers: { authorization: 'Bearer secret2' },
  });
  await fetch(`${server.origin}/v2/book/search?q=secret3`);
  const { stdout } = await server.stop();
  expect(stdout).not.toMatch(/secret/);
  const [, log = ''] = stdout.split('Ctrl-C.\n');
  const lines = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
  const requests = lines.filter((line) => (line as { msg: string }).msg === 'request');
  expect(requests).toEqual([
    expect.objectContaining({
      request: headers.get('x-request-id'),
      method: 'GET',
      route: '/v2/book/:id',
      status: 401,
    }),
    expect.objectContaining({ method: 'GET', route: '/v2/book/search', status: 200 }),
  ]);
});

it('is not ready while the database is unavailable', async () => {
  const proxy = await Proxy.open(opened.url);
  try {
    const server = await workshop.serve({ DATABASE_URL: proxy.url });
    const status = async (path: string): Promise<number> => (await server.get(path))[0];
    expect(await status('/readyz')).toBe(200);
    await proxy.cut();
    expect(await status('/readyz')).toBe(503);
    expect(await status('/v2/book/1')).toBe(503);
    expect(await status('/healthz')).toBe(200);
    await proxy.mend();
    await until(async () => (await status('/readyz')) === 200);
    expect(await status('/v2/book/1')).toBe(404);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  } finally {
    await proxy.cut();
  }
});

it('is not ready while a migration is missing', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url });
  const name = (sql: string): Promise<unknown> =>
    opened.source.query(`UPDATE migrations SET name = ${sql}`);
  await name(`'x' || name`);
  expect((await server.get('/readyz'))[0]).toBe(503);
  await name('substr(name, 2)');
  expect((await server.get('/readyz'))[0]).toBe(200);
});

it('is not ready while PostgreSQL ends sessions and rejects new ones, and ready afterwards', async () => {
  const name = new URL(opened.url).pathname.slice(1);
  const own = await openTestDatabase();
  const allow = (yes: boolean): Promise<unknown> =>
    own.source.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${yes}`);
  try {
    const server = await workshop.serve({ DATABASE_URL: opened.url });
    const ready = async (): Promise<number> => (await server.get('/readyz'))[0];
    expect(await ready()).toBe(200);
    await allow(false);
    await own.source.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = $1 AND application_name = 'commonplace' AND state IS NOT NULL`,
      [name],
    );
    expect(await ready()).toBe(503);
    await allow(true);
    await until(async () => (await ready()) === 200);
  } finally {
    await allow(true);
    await own.close();
  }
});

describe('reports in one line that it cannot start', () => {
  const inVain = async (env: Record<string, string>): Promise<string> => {
    const { code, signal, stdout, stderr } = await workshop.serveInVain(env);
    expect({ code, signal }).toEqual({ code: 1, signal: null });
    // The output is the log only, without stack traces.
    for (const line of stdout.split('\n').slice(0, -1)) {
      expect(JSON.stringify(JSON.parse(line))).not.toMatch(/\\n +at /);
    }
    return stderr;
  };

  it('when its port is in use', async () => {
    await withPortTaken(async (port) => {
      expect(await inVain({ DATABASE_URL: opened.url, PORT: String(port) })).toBe(
        `commonplace: Port ${port} is in use: set PORT to another one.\n`,
      );
    });
  });

  it('when it cannot listen at its address', async () => {
    const output = await inVain({ DATABASE_URL: opened.url, HOST: '192.0.2.1' });
    expect(output).toMatch(/^commonplace: Cannot listen on port \d+: .*192\.0\.2\.1.*\n$/);
  });

  it('when its database is unavailable, unknown, or rejects the login', async () => {
    const stranger = new URL(opened.url);
    stranger.username = 'nobody_knows';
    stranger.password = 'x';
    const output = await Promise.all([
      withPortTaken((port) => Promise.resolve(port)).then((port) =>
        inVain({ DATABASE_URL: `postgres://localhost:${port}/x` }),
      ),
      inVain({ DATABASE_URL: databaseAt(opened.url, 'there_is_none') }),
      inVain({ DATABASE_URL: stranger.toString() }),
    ]);
    expect(output).toEqual([
      expect.stringMatching(/^commonplace: The database cannot be reached: .*ECONNREFUSED.*\n$/),
      expect.stringMatching(/^commonplace: The database cannot be reached: .*there_is_none.*\n$/),
      expect.stringMatching(/^commonplace: The database cannot be reached: .*nobody_knows.*\n$/),
    ]);
  });

  it('when settings are invalid: all of them, one per line', async () => {
    const output = await inVain({
      PORT: 'http',
      TIME_ZONE: 'Nowhere/None',
      DATABASE_URL: 'mysql://localhost/x',
      DATABASE_POOL: '0',
      LOG_LEVEL: 'loud',
    });
    const lines = output.split('\n');
    expect(lines[0]).toBe('commonplace: Invalid settings:');
    for (const name of ['PORT', 'TIME_ZONE', 'DATABASE_URL', 'DATABASE_POOL', 'LOG_LEVEL']) {
      expect(lines.filter((line) => line.startsWith(`  ${name} must `))).not.toEqual([]);
    }
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('when the sample cannot be loaded', async () => {
    const own = await openTestDatabase();
    await own.source.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no books here'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON books EXECUTE FUNCTION refuse()`,
    );
    try {
      const starts = [1, 2, 3, 4].map(() => inVain({ DATABASE_URL: own.url, SAMPLE: 'true' }));
      for (const output of await Promise.all(starts))
        expect(output).toMatch(/^commonplace: .*no books here.*\n$/);
    } finally {
      await own.close();
    }
  });

  it('when its data folder is a file', async () => {
    const file = join(workshop.folder, 'file');
    await writeFile(file, '');
    const output = await inVain({ DATA_DIR: file });
    expect(output).toMatch(/^commonplace: .*file.*\n$/);
  });
});
