import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DATABASE, USER } from './cluster';

/** Application name of the idle connection that each process keeps while it uses the server. */
export const HOLDER = 'commonplace-holder';

/** Application names of the other sessions of such a process, such as its pool and listener. */
const OF_PROCESSES = /^commonplace(-(?!holder$).*)?$/;

/** Address and credentials of a server on this machine. */
export interface Endpoint {
  port: number;
  password: string;
}

/** Milliseconds for the holders of other processes to reconnect after a crash. */
const GATHER_MS = 500;
/** Milliseconds for a response of a local server; after that it counts as hung. */
const ANSWER_MS = 10_000;
/** Milliseconds for which a server may refuse connections for other reasons than {@link NOT_READY}. */
const REFUSED_MS = 5_000;
/** SQLSTATEs of a server that starts or stops, or lacks connections, memory or disk space. */
const NOT_READY = /^(53|57)/;
/** Milliseconds for a connection attempt. */
const CONNECT_MS = 2_000;
/** Milliseconds for a response when the end of the process waits for it. */
const SHUTDOWN_RESPONSE_MS = 1_500;
/** Milliseconds for a graceful end of a connection. */
const CLOSE_MS = 2_000;

/** The URL of the application's database on this server. */
export function urlOf({ port, password }: Endpoint): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * One connection to the server's maintenance database. It does not keep the process alive. Its loss
 * is not an error; `onLost` reports it.
 */
export class KeepAliveConnection {
  private closing: Promise<void> | undefined;
  private lost = false;
  private lostListener: (() => void) | undefined;
  /** Time by which the holders of other processes should have reconnected. */
  private allBackAt = 0;

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
  ) {
    socket.unref();
    client.once('end', () => {
      this.lost = true;
      if (!this.closing) this.lostListener?.();
    });
  }

  /**
   * Connects.
   *
   * @throws Error of `pg` when the server does not accept the connection within two seconds
   */
  static async connect(endpoint: Endpoint): Promise<KeepAliveConnection> {
    const { client, socket } = await dial(endpoint);
    return new KeepAliveConnection(client, socket);
  }

  /** Whether the connection has ended. */
  get isLost(): boolean {
    return this.lost;
  }

  /** Calls `listener` when the connection ends without `close`, or at once if it has ended. */
  onLost(listener: () => void): void {
    this.lostListener = listener;
    if (this.lost && !this.closing) listener();
  }

  /**
   * Runs one statement and returns its rows. It keeps the process alive meanwhile.
   *
   * @throws Error of `pg`, or when the server does not respond within ten seconds; then the
   * connection is lost
   */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.socket.ref();
    const timer = setTimeout(() => this.socket.destroy(), ANSWER_MS);
    try {
      return (await this.client.query<Row>(text, values)).rows;
    } finally {
      clearTimeout(timer);
      this.socket.unref();
    }
  }

  /** Marks a connection that replaces one lost in a crash. */
  expectOthers(): void {
    this.allBackAt = performance.now() + GATHER_MS;
  }

  /** Waits until the holders of other processes have had time to reconnect after the crash. */
  async gather(): Promise<void> {
    await delay(Math.max(0, this.allBackAt - performance.now()));
  }

  /** Disconnects, and waits until the server has ended the session; never rejects. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    this.socket.ref();
    const timer = setTimeout(() => this.socket.destroy(), CLOSE_MS);
    await this.client.end().catch(() => undefined);
    clearTimeout(timer);
  }
}

async function dial(endpoint: Endpoint): Promise<{ client: Client; socket: Socket }> {
  const socket = new Socket();
  const client = new Client({
    host: '127.0.0.1',
    port: endpoint.port,
    user: USER,
    password: endpoint.password,
    // Not the application's database: a session there would prevent dropping it.
    database: 'postgres',
    application_name: HOLDER,
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
    stream: () => socket,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket };
}

/**
 * Whether the server, for example a frozen one, does not respond in time.
 *
 * @param holder connection to it, which stays open for {@link ANSWER_MS} if the server is silent;
 * when it is lost, a new connection is opened
 */
export async function isUnresponsive(
  holder: KeepAliveConnection,
  endpoint: Endpoint,
): Promise<boolean> {
  const attempt: Promise<unknown> = holder.isLost
    ? KeepAliveConnection.connect(endpoint).then((connection) => connection.close())
    : holder.query('SELECT 1');
  const response = attempt.then(
    () => false,
    () => false,
  );
  return Promise.race([response, delay(SHUTDOWN_RESPONSE_MS, true, { ref: false })]);
}

/** A server refuses connections for a reason that does not pass, such as a missing file. */
export class ConnectionsRefused extends Error {
  constructor(reason: string, cause: unknown) {
    super(`The embedded PostgreSQL runs but refuses connections (${reason}).`, { cause });
  }
}

/**
 * Connects to a server that may still be starting.
 *
 * @param isRunning called between attempts; false ends the wait
 * @param limit time limit in milliseconds
 * @returns the connection; undefined when the server is no longer running
 * @throws ConnectionsRefused
 * @throws Error when it rejects our password, or does not respond in time
 */
export async function connectWhenReady(
  endpoint: Endpoint,
  isRunning: () => Promise<boolean>,
  limit: number,
): Promise<KeepAliveConnection | undefined> {
  const deadline = performance.now() + limit;
  let refusedAt: number | undefined;
  for (let pause = 15; ; pause = Math.min(pause * 1.4, 250)) {
    try {
      return await KeepAliveConnection.connect(endpoint);
    } catch (error) {
      if (!(await isRunning())) return undefined;
      const { code, severity, message } = error as Error & { code?: string; severity?: string };
      if (code?.startsWith('28')) {
        throw new Error(`The embedded PostgreSQL refuses its own password (${message}).`, {
          cause: error,
        });
      }
      const isRefused = severity !== undefined && !NOT_READY.test(code ?? '');
      refusedAt = isRefused ? (refusedAt ?? performance.now()) : undefined;
      if (refusedAt !== undefined && performance.now() > refusedAt + REFUSED_MS) {
        throw new ConnectionsRefused(message, error);
      }
      if (performance.now() > deadline) {
        throw new Error(
          `The embedded PostgreSQL runs but is not ready after ${limit / 1000} s (${message}). ` +
            'It may be recovering from a crash. Try again later.',
          { cause: error },
        );
      }
    }
    await delay(pause);
  }
}

/**
 * Creates the application's database when it is missing.
 *
 * @throws Error of `pg` when that fails
 */
export async function ensureDatabase(holder: KeepAliveConnection): Promise<void> {
  const found = await holder.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found.length === 0) await holder.query(`CREATE DATABASE ${DATABASE}`);
}

/**
 * Whether another process uses the server. Only the holder of a Commonplace process counts, because
 * its other sessions may briefly outlive it. Foreign sessions, such as those of `psql`, have a
 * second to end.
 *
 * @throws Error of `pg` when the server does not respond
 */
export async function isInUse(holder: KeepAliveConnection): Promise<boolean> {
  await holder.gather();
  const deadline = performance.now() + 1_000;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 100)) {
    const sessions = await holder.query<{ name: string }>(
      `SELECT application_name AS name FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    const others = sessions.filter(({ name }) => !OF_PROCESSES.test(name));
    if (others.length === 0) return false;
    if (others.some(({ name }) => name === HOLDER) || performance.now() > deadline) return true;
    await delay(pause);
  }
}
