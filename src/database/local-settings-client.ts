import { Query, type Client, type ClientConfig, type Connection } from 'pg';
import { PoolClient } from './pool-client';
import { localStatement, localStatements, type SessionSettings } from './session';

/** Members that the types of the driver lack. */
interface Wire {
  parse(statement: { text: string; name: string }): void;
  bind(portal: { portal: string; statement: string; values: unknown[] }): void;
  execute(portal: { portal: string; rows?: number }): void;
  query(text: string): void;
}
interface QueryInternals {
  name?: string;
  text: string;
  queryMode?: string;
  requiresPreparation(): boolean;
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
type Callback = (error: Error | null, result?: unknown) => void;

const BaseQuery = Query as unknown as new (
  config: unknown,
  values?: unknown,
  callback?: unknown,
) => QueryInternals & { callback?: Callback };

/** The settings for the two protocols of PostgreSQL. */
interface LocalSettings {
  /** One statement, for the extended protocol. */
  readonly statement: string;
  /** Statements before another one in a simple query. */
  readonly statements: readonly string[];
}

/**
 * A statement that applies the settings before it runs. They are sent in the same message, without
 * a further round trip; PostgreSQL runs both in one transaction, and the settings end with it.
 * Inside an open transaction the settings are active since BEGIN.
 */
class LocalQuery extends BaseQuery {
  /** Number of pending results of the settings. */
  private foreign = 0;

  constructor(
    private readonly client: Pick<Client, 'getTransactionStatus'>,
    private readonly settings: LocalSettings,
    ...query: [config: unknown, values?: unknown, callback?: unknown]
  ) {
    super(...query);
    if (this.name !== undefined) {
      // Without a name: a prepared statement belongs to one session.
      this.name = undefined;
      this.queryMode = 'extended';
    }
  }

  override submit(connection: Connection): Error | null {
    if (this.client.getTransactionStatus() !== 'I') return super.submit(connection);
    if (this.requiresPreparation()) {
      this.foreign = 1;
      return super.submit(connection);
    }
    const { statements } = this.settings;
    this.foreign = statements.length;
    (connection as unknown as Wire).query(`${statements.join('; ')}; ${this.text}`);
    return null;
  }

  override prepare(connection: Connection): void {
    if (this.foreign > 0) {
      const wire = connection as unknown as Wire;
      wire.parse({ text: this.settings.statement, name: '' });
      wire.bind({ portal: '', statement: '', values: [] });
      wire.execute({ portal: '', rows: 0 });
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.foreign === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.foreign > 0) this.foreign -= 1;
    else super.handleCommandComplete(message, connection);
  }
}

/**
 * A connection through a pooler that may use another PostgreSQL session for each transaction. It
 * has no prepared statements and no session state: each transaction applies the settings.
 */
export class LocalSettingsClient extends PoolClient {
  private readonly settings: LocalSettings;

  constructor(config?: ClientConfig & { session?: SessionSettings }) {
    super(config);
    const session = config?.session ?? [];
    this.settings = { statement: localStatement(session), statements: localStatements(session) };
  }

  // The cast keeps the overloads of the driver.
  override query: Client['query'] = ((config: unknown, values?: unknown, callback?: unknown) => {
    const send = super.query.bind(this) as (query: unknown) => unknown;
    if (typeof (config as { submit?: unknown }).submit === 'function') return send(config);
    const query = new LocalQuery(this, this.settings, config, values, callback);
    // The driver reads the timeout from the query object.
    Object.assign(query, { query_timeout: (config as { query_timeout?: number }).query_timeout });
    if (query.callback) {
      send(query);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => {
        if (error) reject(error);
        else resolve(result);
      };
      send(query);
    });
  }) as Client['query'];
}
