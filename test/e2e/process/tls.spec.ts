import { once } from 'node:events';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { type QueryRunner } from 'typeorm';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { makeCertificate, type Made } from './certificate';
import { Connection } from './connection';
import { type Program, until, Workshop } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
let book: number;
let cert: string;
let key: string;
let env: Record<string, string>;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  book = await new Factories(opened.database).aBook();
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});
beforeEach(async () => {
  cert = join(workshop.folder, 'cert.pem');
  key = join(workshop.folder, 'key.pem');
  await write(makeCertificate('first'));
  env = { DATABASE_URL: opened.url, TLS_CERT: cert, TLS_KEY: key };
});
afterEach(() => workshop.clear());

async function write(made: Made): Promise<void> {
  await writeFile(cert, made.cert);
  await writeFile(key, made.key);
}

interface Ports {
  readonly program: Program;
  readonly https: number;
  readonly http: number;
}

async function serve(more: Record<string, string> = {}): Promise<Ports> {
  const program = workshop.begin({ ...env, HTTP_PORT: '0', ...more });
  const [, https] = await program.said(/serves on https:\/\/localhost:(\d+) \(documentation/);
  const [, http] = await program.said(/Plain HTTP is on http:\/\/localhost:(\d+)\n[^]*Ctrl-C\.\n/);
  return { program, https: Number(https), http: Number(http) };
}

/** A connection that has agreed on encryption; the certificate is looked at, not trusted. */
async function encrypted(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** Whom the server says that it is. */
async function nameAt(port: number): Promise<unknown> {
  const socket = await encrypted(port);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

async function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage & { text: string }> {
  const sent = request({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return Object.assign(response, { text });
}

const becomes = (port: number, name: string): Promise<void> =>
  until(async () => (await nameAt(port)) === name);

it('serves HTTPS on PORT and plain HTTP on HTTP_PORT, with the same responses', async () => {
  const { program, https, http } = await serve();
  const secure = await get(https, `/v2/book/${book}`);
  expect(secure.statusCode).toBe(200);
  expect(JSON.parse(secure.text)).toMatchObject({
    url: `https://localhost:${https}/v2/book/${book}`,
  });
  const plain = await fetch(`http://127.0.0.1:${http}/v2/book/${book}`);
  expect(await plain.json()).toEqual(JSON.parse(secure.text));
  expect((await get(https, '/readyz')).statusCode).toBe(200);
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('accepts tokens only over HTTPS where HTTPS is required', async () => {
  const { https, http } = await serve({ REQUIRE_HTTPS: 'true' });
  const headers = { authorization: 'Bearer wrong' };
  const secure = await get(https, `/v2/book/${book}`, headers);
  expect(JSON.parse(secure.text)).toMatchObject({ code: 103 });
  expect(secure.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  const plain = await fetch(`http://127.0.0.1:${http}/v2/book/${book}`, { headers });
  expect(await plain.json()).toMatchObject({ code: 100 });
  expect(plain.headers.get('strict-transport-security')).toBeNull();
});

describe('a new certificate is served without a restart', () => {
  it('when the files are overwritten; until both match, the old pair is served', async () => {
    const { program, https } = await serve();
    expect(await nameAt(https)).toBe('first');
    const open = await encrypted(https);
    const second = makeCertificate('second');
    await writeFile(cert, second.cert);
    await program.said(/the previous one stays in use/);
    expect(await nameAt(https)).toBe('first');
    await writeFile(key, second.key);
    await becomes(https, 'second');
    await writeFile(cert, second.cert.slice(0, 100));
    await until(() => Promise.resolve((program.stdout.match(/stays in use/g) ?? []).length > 1));
    expect(await nameAt(https)).toBe('second');
    await write(makeCertificate('third'));
    await becomes(https, 'third');
    // Connections that were open go on.
    open.write('GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
    const [response] = (await once(open, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /);
    open.destroy();
  });

  it('when files are replaced, or symbolic links changed', async () => {
    const { https } = await serve();
    const put = async (name: string, how: (from: string, to: string) => Promise<void>) => {
      const made = makeCertificate(name);
      for (const [path, text] of [
        [cert, made.cert],
        [key, made.key],
      ] as const) {
        const fresh = join(workshop.folder, `${name}-${path === cert ? 'cert' : 'key'}`);
        await writeFile(fresh, text);
        await how(fresh, path);
      }
    };
    await put('renamed', rename);
    await becomes(https, 'renamed');
    const turn = async (from: string, to: string): Promise<void> => {
      await symlink(from, `${to}.link`);
      await rename(`${to}.link`, to);
    };
    await put('linked', turn);
    await becomes(https, 'linked');
    await put('turned', turn);
    await becomes(https, 'turned');
  });
});

describe('SIGTERM', () => {
  let locker: QueryRunner;
  beforeEach(async () => {
    locker = opened.source.createQueryRunner();
    await locker.startTransaction();
    await locker.query('LOCK TABLE books');
  });
  afterEach(async () => {
    if (locker.isTransactionActive) await locker.rollbackTransaction();
    await locker.release();
  });

  const waiting = async (): Promise<number> => {
    const [row] = await opened.source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND NOT l.granted`,
    );
    return row?.n ?? 0;
  };

  it('finishes running requests on both ports, and closes idle connections and handshakes', async () => {
    const { program, https, http } = await serve({
      DRAIN_SECONDS: '60',
      DATABASE_LOCK_TIMEOUT_MS: '0',
      DATABASE_STATEMENT_TIMEOUT_MS: '0',
    });
    // Simultaneous requests of one route can share a statement, and these wait for two.
    const responses = [
      get(https, `/v2/book/${book}/tags`).then(({ statusCode }) => statusCode),
      fetch(`http://127.0.0.1:${http}/v2/book/${book}`).then(({ status }) => status),
    ];
    await until(async () => (await waiting()) === 2);
    const idle = await encrypted(https);
    const silent = connectPlain({ host: '127.0.0.1', port: https });
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    const closed = [once(idle.resume(), 'close'), once(silent.resume(), 'close')];
    program.child.kill('SIGTERM');
    await until(() => Connection.refused(https));
    await until(() => Connection.refused(http));
    await Promise.all(closed);
    await locker.rollbackTransaction();
    expect(await Promise.all(responses)).toEqual([200, 200]);
    expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });
});

describe('reports in one line that it cannot start', () => {
  const inVain = async (more: Record<string, string>): Promise<string> => {
    const { code, stderr } = await workshop.serveInVain({ ...env, ...more });
    expect(code).toBe(1);
    return stderr;
  };

  it('when the files are missing, not PEM, or do not match', async () => {
    const nonsense = join(workshop.folder, 'nonsense.pem');
    const other = join(workshop.folder, 'other.pem');
    await writeFile(nonsense, 'nonsense');
    await writeFile(other, makeCertificate('other').key);
    const output = await Promise.all([
      inVain({ TLS_CERT: '/nowhere/cert.pem' }),
      inVain({ TLS_CERT: nonsense }),
      inVain({ TLS_KEY: other }),
    ]);
    expect(output).toEqual([
      expect.stringMatching(/^commonplace: TLS_CERT and TLS_KEY cannot be used: .*nowhere.*\n$/),
      expect.stringMatching(/^commonplace: TLS_CERT and TLS_KEY cannot be used: .*\n$/),
      expect.stringMatching(/^commonplace: TLS_CERT and TLS_KEY cannot be used: .*mismatch.*\n$/),
    ]);
  });

  it('when HTTP_PORT is in use', async () => {
    const { http } = await serve();
    const output = await inVain({ HTTP_PORT: String(http) });
    expect(output).toBe(`commonplace: Port ${http} is in use: set HTTP_PORT to another one.\n`);
  });
});
