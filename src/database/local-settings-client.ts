import {
  Query,
  type Client,
  type ClientConfig,
  type Connection,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import { PoolClient, type LimitedQuery } from './pool-client';
import { type ServerList } from './replicas/server-list';
import { localStatement, localStatements, type SessionSettings } from './session';

type Callback = (error: Error | null | undefined, result?: unknown) => void;

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars --
   a merged declaration repeats the type parameters of the class */
declare module 'pg' {
  // Members of the exported class that its types lack. `pg-cursor` and `pg-query-stream` implement
  // the same handlers. `test/db/session.spec.ts` fails if a version of `pg` changes them.
  interface Query<R extends QueryResultRow = any, I extends any[] = any> {
    name?: string | undefined;
    text: string;
    queryMode?: string | undefined;
    callback?: Callback | undefined;
    requiresPreparation(): boolean;
    prepare(connection: Connection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
  }
}
/* eslint-enable */

const submit = Query.prototype.submit;

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
class LocalQuery extends Query {
  /** Number of pending results of the settings. */
  private foreign = 0;

  constructor(
    private readonly client: Pick<Client, 'getTransactionStatus'>,
    private readonly settings: LocalSettings,
    ...query: [config: QueryConfig, values?: unknown[], callback?: Callback]
  ) {
    super(...query);
    if (this.name !== undefined) {
      // Without a name: a prepared statement belongs to one session.
      this.name = undefined;
      this.queryMode = 'extended';
    }
  }

  // The types declare it as a property, so that it cannot be overridden as a method.
  override submit = (connection: Connection): unknown => {
    if (this.client.getTransactionStatus() !== 'I') return submit.call(this, connection);
    if (this.requiresPreparation()) {
      this.foreign = 1;
      return submit.call(this, connection);
    }
    const { statements } = this.settings;
    this.foreign = statements.length;
    connection.query(`${statements.join('; ')}; ${this.text}`);
    return null;
  };

  override prepare(connection: Connection): void {
    if (this.foreign > 0) {
      connection.parse({ text: this.settings.statement, name: '', types: [] }, true);
      connection.bind({ portal: '', statement: '', binary: '', values: [] }, true);
      connection.execute({ portal: '' }, true);
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

  constructor(config?: ClientConfig & { session?: SessionSettings; servers?: ServerList }) {
    super(config);
    const session = config?.session ?? [];
    this.settings = { statement: localStatement(session), statements: localStatements(session) };
  }

  /**
   * Sends each statement after the response to the one before it, which tells whether a transaction
   * is open. Those after an error are not sent.
   */
  override async sendPipelined(
    queries: readonly LimitedQuery[],
  ): Promise<readonly PromiseSettledResult<QueryResult>[]> {
    const results: PromiseSettledResult<QueryResult>[] = [];
    for (const query of queries) {
      const [result] = await Promise.allSettled([this.query(query)]);
      results.push(result);
      if (result.status === 'rejected') break;
    }
    return results;
  }

  // The cast keeps the overloads of the driver.
  override query: Client['query'] = ((
    config: QueryConfig,
    values?: unknown[],
    callback?: Callback,
  ) => {
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
