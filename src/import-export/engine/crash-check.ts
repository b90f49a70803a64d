import { type Database } from '../../database/database';
import { makeOwnConnection } from '../../database/own-connection';
import { type LimitedQuery, type PoolClient } from '../../database/pool-client';
import { KEEP_SESSION_ALIVE } from '../../database/session';

/** Milliseconds for a statement. The last one waits for the disk. */
const RESPONSE_MS = 60_000;

const SET_UP = `SELECT set_config('idle_session_timeout', '0', false), ${KEEP_SESSION_ALIVE}`;

const PING = 'SELECT';

/** Its transaction writes a record to the log. The COMMIT waits until all earlier ones are on the disk. */
const WAIT_FOR_DISK = `SELECT pg_logical_emit_message(true, 'commonplace', '')`;

/** PostgreSQL may have crashed, which undoes transactions whose COMMIT did not wait for the disk. */
class SessionLost extends Error {
  constructor(cause: unknown) {
    super(
      'the connection to PostgreSQL was lost: if it crashed, stored records may be missing; import again',
      { cause },
    );
  }
}

/**
 * A connection that is open during an import, because a crash of PostgreSQL ends all connections.
 * Between two batches no other one may be in use, so that the import would go on with new ones.
 */
export class CrashCheck {
  private constructor(private readonly client: PoolClient) {}

  /** @throws Error when PostgreSQL accepts no connection */
  static async open({ source }: Pick<Database, 'source'>): Promise<CrashCheck> {
    const client = makeOwnConnection(source, 'commonplace import');
    const check = new CrashCheck(client);
    try {
      await client.connect();
      await client.query({ text: SET_UP, query_timeout: RESPONSE_MS } as LimitedQuery);
      return check;
    } catch (error) {
      await check.close();
      throw error;
    }
  }

  /** @throws Error if the connection was lost */
  async requireOpen(): Promise<void> {
    await this.run(PING);
  }

  /**
   * Waits until all earlier transactions are on the disk.
   * @throws Error if the connection was lost since it was opened
   */
  async waitForDisk(): Promise<void> {
    await this.run(WAIT_FOR_DISK);
  }

  private async run(text: string): Promise<void> {
    try {
      await this.client.query({ text, query_timeout: RESPONSE_MS } as LimitedQuery);
    } catch (error) {
      throw new SessionLost(error);
    }
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
