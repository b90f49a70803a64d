import { type Database } from '../../database/database';
import { openOwnConnection } from '../../database/own-connection';
import { type PoolClient } from '../../database/pool-client';
import { NoResponse, SerialQueries } from '../../database/serial-queries';
import { KEEP_SESSION_ALIVE } from '../../database/session';

/** Milliseconds for a statement; and for the last one, which waits for the disk and a synchronous standby. */
const RESPONSE_MS = 60_000;
const FLUSH_MS = 600_000;

/** Milliseconds between two statements: proxies close connections that are idle for longer. */
const PING_MS = 10_000;

const SET_UP = `SELECT set_config('idle_session_timeout', '0', false), ${KEEP_SESSION_ALIVE}`;

const PING = 'SELECT';

/** Its transaction writes a record to the WAL, so that the COMMIT flushes all earlier ones, too. */
const FLUSH_COMMITS = `SELECT pg_logical_emit_message(true, 'commonplace', '')`;

/** PostgreSQL may have crashed, which loses commits that were not flushed. */
class SessionLost extends Error {
  constructor(cause: unknown) {
    super(
      'the connection to PostgreSQL was lost: if PostgreSQL crashed, stored records may be missing; import again',
      { cause },
    );
  }
}

/**
 * A connection that is open during an import, because a crash of PostgreSQL ends all connections.
 * Between two batches no other connection may be in use; the import would continue on new connections.
 */
export class CrashCheck {
  private readonly pings: NodeJS.Timeout;
  private readonly statements: SerialQueries;

  private constructor(private readonly client: PoolClient) {
    this.statements = new SerialQueries(client);
    this.pings = setInterval(() => {
      this.requireOpen().catch(() => undefined);
    }, PING_MS).unref();
  }

  /** @throws Error when PostgreSQL accepts no connection */
  static async open({ source }: Pick<Database, 'source'>): Promise<CrashCheck> {
    const first = { text: SET_UP, query_timeout: RESPONSE_MS };
    return new CrashCheck(await openOwnConnection(source, 'commonplace import', first));
  }

  /** @throws Error if the connection was lost, or does not respond */
  async requireOpen(): Promise<void> {
    await this.run(PING, RESPONSE_MS);
  }

  /**
   * Flushes all earlier commits to the disk.
   * @throws Error if the connection was lost since it was opened, or does not respond
   */
  async flushCommits(): Promise<void> {
    await this.run(FLUSH_COMMITS, FLUSH_MS);
  }

  private async run(text: string, timeoutMs: number): Promise<void> {
    try {
      await this.statements.run({ text }, timeoutMs);
    } catch (error) {
      throw error instanceof NoResponse ? error : new SessionLost(error);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.pings);
    await this.client.end().catch(() => undefined);
  }
}
