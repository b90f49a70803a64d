import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../../src/server/listen';
import { until } from '../../e2e/process/programs';

export type PoolMode = 'session' | 'transaction';
export const POOL_MODES: readonly PoolMode[] = ['session', 'transaction'];

export interface PoolerOptions {
  readonly mode: PoolMode;
  /** Connections to PostgreSQL for each database. */
  readonly size?: number;
  /** More lines of the section [pgbouncer]. */
  readonly more?: readonly string[];
}

/** As Debian installs it, but for the addresses and who may connect. */
const configOf = (server: URL, port: number, { mode, size = 20, more = [] }: PoolerOptions) => `
[databases]
* = host=${server.hostname} port=${server.port || '5432'} user=${decodeURIComponent(server.username)} password='${decodeURIComponent(server.password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
${more.join('\n')}
`;

/** A PgBouncer of the test's own in front of PostgreSQL. */
export class PgBouncer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly mode: PoolMode,
    private readonly folder: string,
    private readonly port: number,
    private readonly user: string,
  ) {}

  /** @param url of any database of the server */
  static async open(url: string, options: PoolerOptions): Promise<PgBouncer> {
    const server = new URL(url);
    const folder = await mkdtemp(join(await realpath(tmpdir()), 'commonplace-pgbouncer-'));
    // It refuses to be root, and the other account must be able to read.
    await chmod(folder, 0o755);
    const port = await freePort();
    await writeFile(join(folder, 'pgbouncer.ini'), configOf(server, port, options));
    const pooler = new PgBouncer(options.mode, folder, port, server.username);
    await pooler.start();
    return pooler;
  }

  /** The address of a database through it. */
  urlOf(url: string): string {
    return `postgres://${this.user}@127.0.0.1:${this.port}${new URL(url).pathname}`;
  }

  /** Rows of a statement of a client that sets nothing. */
  async query(url: string, text: string): Promise<unknown[]> {
    const client = new Client({ connectionString: this.urlOf(url) });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async start(): Promise<void> {
    const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('pgbouncer', ['-q', ...account, join(this.folder, 'pgbouncer.ini')], {
      env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child = child;
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${output}`);
      return this.responses();
    });
  }

  private responses(): Promise<boolean> {
    return this.query('postgres://localhost/postgres', 'SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** Whether its process has not ended. */
  get isRunning(): boolean {
    return this.child?.exitCode === null;
  }

  /** As if its machine had lost power. */
  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
