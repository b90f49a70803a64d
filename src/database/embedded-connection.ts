import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DATABASE, USER } from './embedded-cluster';

/** Under this name a process keeps one idle connection for as long as it uses the server. */
export const HOLDER = 'commonplace-holder';

/** How to reach a server on this machine. */
export interface Endpoint {
  port: number;
  password: string;
}

/** How often a holder that lost its connection tries to come back, and at what interval in ms. */
const RETURNS = 40;
const RETURN_MS = 250;
/** After a crash, how long the holders of other processes may take to come back, in ms. */
const GATHER_MS = 2 * RETURN_MS;

/** The URL of the application's database on this server. */
export function urlOf({ port, password }: Endpoint): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * One connection to the server's maintenance database. It does not keep the process alive, and
 * losing it is not an error: it comes back by itself when the server does (one crashed session
 * makes PostgreSQL drop them all).
 */
export class Holder {
  private closed = false;
  /** When everybody who lost the connection together with this one should be back. */
  private allBackAt = 0;

  private constructor(
    private readonly endpoint: Endpoint,
    private client: Client,
    private socket: Socket,
  ) {
    this.watch();
  }

  /**
   * Connects.
   *
   * @throws Error of `pg` when the server does not accept the connection within two seconds.
   */
  static async connect(endpoint: Endpoint): Promise<Holder> {
    const { client, socket } = await dial(endpoint);
    return new Holder(endpoint, client, socket);
  }

  /** Runs one statement and answers its rows; keeps the process alive meanwhile. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.socket.ref();
    try {
      return (await this.client.query<Row>(text, values)).rows;
    } finally {
      this.socket.unref();
    }
  }

  /** To be said of a connection made because an earlier one was lost in a crash. */
  expectOthers(): void {
    this.allBackAt = Date.now() + GATHER_MS;
  }

  /** Waits until the holders of others, lost in the same crash, had the time to come back. */
  async gather(): Promise<void> {
    await delay(Math.max(0, this.allBackAt - Date.now()));
  }

  /** Disconnects for good; never rejects. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.socket.ref();
    await this.client.end().catch(() => undefined);
  }

  private watch(): void {
    this.socket.unref();
    this.client.once('end', () => {
      if (!this.closed) void this.comeBack();
    });
  }

  private async comeBack(): Promise<void> {
    for (let left = RETURNS; left > 0; left--) {
      await delay(RETURN_MS, undefined, { ref: false });
      if (this.closed) return;
      const fresh = await dial(this.endpoint).catch(() => undefined);
      if (!fresh) continue;
      ({ client: this.client, socket: this.socket } = fresh);
      if (this.closed) await this.client.end().catch(() => undefined);
      else this.watch();
      this.expectOthers();
      return;
    }
  }
}

async function dial(endpoint: Endpoint): Promise<{ client: Client; socket: Socket }> {
  const socket = new Socket();
  const client = new Client({
    host: '127.0.0.1',
    port: endpoint.port,
    user: USER,
    password: endpoint.password,
    // Not the application's own: a session there would stand in the way of dropping it.
    database: 'postgres',
    application_name: HOLDER,
    ssl: false,
    connectionTimeoutMillis: 2_000,
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
 * Connects to a server that may still be starting.
 *
 * @param isRunning asked between tries; false ends the waiting.
 * @param limit how long to try, in ms.
 * @returns the connection; undefined when the server is no longer running.
 * @throws Error when it refuses our password, or does not answer in time.
 */
export async function connectWhenReady(
  endpoint: Endpoint,
  isRunning: () => Promise<boolean>,
  limit: number,
): Promise<Holder | undefined> {
  const deadline = Date.now() + limit;
  for (let pause = 15; ; pause = Math.min(pause * 1.4, 250)) {
    try {
      return await Holder.connect(endpoint);
    } catch (error) {
      if (!(await isRunning())) return undefined;
      const { code, message } = error as Error & { code?: string };
      if (code?.startsWith('28')) {
        throw new Error(`The embedded PostgreSQL refuses its own password (${message}).`, {
          cause: error,
        });
      }
      if (Date.now() > deadline) {
        throw new Error(
          `The embedded PostgreSQL runs but is not ready after ${limit / 1000} s (${message}); ` +
            'it may be recovering from a crash: try again in a while.',
          { cause: error },
        );
      }
    }
    await delay(pause);
  }
}

/**
 * Makes the application's database when it is missing.
 *
 * @throws Error of `pg` when that fails.
 */
export async function ensureDatabase(holder: Holder): Promise<void> {
  const found = await holder.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found.length === 0) await holder.query(`CREATE DATABASE ${DATABASE}`);
}

/**
 * Whether somebody else is connected. A process of ours counts at once; other sessions are given
 * a second to end, because those of a pool just closed may take a moment to.
 *
 * @throws Error of `pg` when the server does not answer.
 */
export async function isInUse(holder: Holder): Promise<boolean> {
  await holder.gather();
  const deadline = Date.now() + 1_000;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 100)) {
    const names = await holder.query<{ name: string }>(
      `SELECT application_name AS name FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    if (names.length === 0) return false;
    if (names.some(({ name }) => name === HOLDER) || Date.now() > deadline) return true;
    await delay(pause);
  }
}
