import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type QueryResult } from 'pg';
import { freePort } from '../../src/server/listen';
import { makeDataSource } from '../../src/database/data-source';
import {
  DATABASE,
  prepareCluster,
  readPassword,
  setOwner,
  USER,
  type Cluster,
} from '../../src/database/embedded/cluster';
import { childrenOf, serverEnvironment } from '../../src/database/embedded/process';
import { migrateUp } from '../../src/database/migrate';
import { oncePerRun } from '../e2e/process/once-per-run';
import { databaseAt, testSettings } from '../settings';

/** How a server is told to stop: sessions are ended, or it is gone as after a crash. */
export type StopMode = 'fast' | 'immediate';
const SIGNALS: Readonly<Record<StopMode, NodeJS.Signals>> = {
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
};

export interface PostgresOptions {
  /** Where its data is; a temporary folder when not given. */
  readonly folder?: string;
  /** Further settings of it, `name=value`. */
  readonly settings?: readonly string[];
}

const POLL_MS = 10;
const PATIENCE_MS = 60_000;

/**
 * A PostgreSQL server that belongs to a test, which may do to it what befalls servers. Its port
 * stays the same. Acknowledged writes survive a crash of PostgreSQL, but not of the machine.
 */
export class Postgres {
  private child: ChildProcess | undefined;
  private frozen: number[] = [];

  private constructor(
    readonly folder: string,
    private readonly cluster: Cluster,
    private readonly password: string,
    private readonly port: number,
    private settings: readonly string[],
  ) {}

  /** A server that is up, with the migrated, empty database `commonplace`. */
  static async start(options: PostgresOptions = {}): Promise<Postgres> {
    const temporary = (): Promise<string> => mkdtemp(join(tmpdir(), 'commonplace-faults-'));
    const folder = await realpath(options.folder ?? (await temporary()));
    await copyCluster(folder);
    const postgres = await Postgres.in(folder, options.settings);
    await postgres.up();
    return postgres;
  }

  /** Creates the cluster that `start` copies. */
  static async create(folder: string): Promise<void> {
    const postgres = await Postgres.in(await realpath(folder));
    await postgres.up();
    await postgres.sql(`CREATE DATABASE ${DATABASE}`, 'postgres');
    const source = makeDataSource(testSettings(), postgres.url, []);
    await source.initialize();
    await migrateUp(source);
    await source.destroy();
    await postgres.down('fast');
  }

  /** The server of the cluster in a folder, which it creates if there is none. */
  private static async in(folder: string, settings: readonly string[] = []): Promise<Postgres> {
    // The account of the server, which is not root, must be able to enter.
    await chmod(folder, 0o755);
    const cluster = await prepareCluster({ dataDir: folder, disposable: true });
    const password = await readPassword(cluster.path);
    return new Postgres(folder, cluster, password, await freePort(), settings);
  }

  /**
   * A standby of this server, which follows it by streaming replication.
   *
   * @param name as the primary sees it, for `synchronous_standby_names`
   * @param parent folder of its folder
   */
  async standby(name: string, parent = tmpdir()): Promise<Postgres> {
    const folder = await realpath(await mkdtemp(join(parent, 'commonplace-standby-')));
    await chmod(folder, 0o755);
    const path = join(folder, 'postgres');
    const client = new Client({ connectionString: this.url });
    await client.connect();
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await cp(this.cluster.path, path, { recursive: true });
    const { rows }: QueryResult<{ labelfile: string }> = await client.query(
      'SELECT labelfile FROM pg_backup_stop(false)',
    );
    await client.end();
    await writeFile(join(path, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(path, 'standby.signal'), '');
    await rm(join(path, 'postmaster.pid'), { force: true });
    await setOwner(path, this.cluster.account);
    const standby = new Postgres(
      folder,
      { ...this.cluster, path },
      this.password,
      await freePort(),
      [...this.settings, `primary_conninfo=${this.connectionInfo} application_name=${name}`],
    );
    await standby.up();
    return standby;
  }

  /** Makes a standby follow another server. */
  async follow(primary: Postgres): Promise<void> {
    await this.down('fast');
    const others = this.settings.filter((setting) => !setting.startsWith('primary_conninfo='));
    this.settings = [...others, `primary_conninfo=${primary.connectionInfo}`];
    await this.up();
  }

  private get connectionInfo(): string {
    return `host=127.0.0.1 port=${this.port} user=${USER} password=${this.password}`;
  }

  /** Host and port of an address. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `postgres://${USER}:${this.password}@127.0.0.1:${this.port}/${DATABASE}`;
  }

  /** Starts the server, and waits until it accepts connections. */
  async up(): Promise<void> {
    const { binaries, path, account } = this.cluster;
    const flags = ['listen_addresses=127.0.0.1', `port=${this.port}`, 'unix_socket_directories='];
    flags.push('fsync=off', 'jit=off', 'log_checkpoints=off', ...this.settings);
    const log = openSync(join(this.folder, 'postgres.log'), 'a');
    this.child = spawn(binaries.postgres, ['-D', path, ...flags.flatMap((flag) => ['-c', flag])], {
      ...account,
      cwd: path,
      env: serverEnvironment(),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await this.ready();
  }

  /** Waits until the server accepts connections. */
  async ready(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        await this.sql('SELECT 1', 'postgres');
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      await pause(POLL_MS);
    }
  }

  /** Stops the server, and waits until it is gone. */
  async down(mode: StopMode): Promise<void> {
    const { child } = this;
    if (!child) return;
    this.child = undefined;
    const gone = once(child, 'exit');
    child.kill(SIGNALS[mode]);
    await gone;
  }

  /** Makes a standby of it, as after a failover that another server has won. */
  async demote(): Promise<void> {
    await this.down('fast');
    await writeFile(join(this.cluster.path, 'standby.signal'), '');
    await this.up();
  }

  /** Makes it the primary again. */
  async promote(): Promise<void> {
    await this.sql('SELECT pg_promote()', 'postgres');
  }

  /** Whether its main process runs. Some faults end it; the test then starts it again. */
  get isUp(): boolean {
    return this.child !== undefined && this.child.exitCode === null && !this.child.signalCode;
  }

  /** Runs statements in the application's database, or in another one. */
  async sql<Row extends object>(text: string, database = DATABASE): Promise<Row[]> {
    const client = new Client({ connectionString: databaseAt(this.url, database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Process ids of the sessions that clients have. */
  async sessions(): Promise<number[]> {
    const rows = await this.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Kills one session as a crash would: PostgreSQL then ends all of them, and recovers. */
  async crashSession(): Promise<void> {
    const [pid] = await this.sessions();
    if (pid === undefined) throw new Error('there is no session to kill');
    process.kill(pid, 'SIGKILL');
  }

  /** Freezes the whole server: connections stay open, and nothing responds. */
  async freeze(): Promise<void> {
    this.frozen = await freezeServer(Number(this.child?.pid));
  }

  /** Lets it go on. Once the first process runs, it forgets those that ended while it was frozen. */
  thaw(): void {
    thawServer(this.frozen.splice(0));
  }

  async close(): Promise<void> {
    this.thaw();
    await this.down('immediate');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Fills a data directory with a cluster that has the migrated, empty database `commonplace`. The
 * cluster is created once in a run of the tests and copied: creating it takes seconds.
 *
 * @param folder path of the data directory, which need not exist
 */
export async function copyCluster(folder: string): Promise<void> {
  const { TEST_SCRATCH } = process.env;
  // Without a run of the tests each process has its own.
  const template = TEST_SCRATCH
    ? join(TEST_SCRATCH, 'cluster')
    : join(tmpdir(), `commonplace-cluster-${process.pid}`);
  await oncePerRun(template, async () => {
    const draft = `${template}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft);
    await Postgres.create(draft);
    await rename(draft, template);
  });
  await mkdir(folder, { recursive: true });
  // The copy must belong to the account of PostgreSQL as well.
  execFileSync('cp', ['-a', join(template, 'postgres'), folder]);
}

/** Freezes all processes of a server. @returns their ids, the main process first */
export async function freezeServer(main: number): Promise<number[]> {
  process.kill(main, 'SIGSTOP');
  const children = await childrenOf(main);
  return [main, ...children.filter((pid) => signal(pid, 'SIGSTOP'))];
}

/** Lets frozen processes go on. */
export function thawServer(pids: readonly number[]): void {
  for (const pid of pids) signal(pid, 'SIGCONT');
}

/** Signals a process; false if it has ended, as an idle worker of PostgreSQL may at any time. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
