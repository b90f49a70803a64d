import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import pg, { Client, type ClientConfig, type QueryConfig, type QueryResult } from 'pg';
import { destroyOnParserError } from '../process/parser-errors';
import { type ServerList } from './replicas/server-list';
import { type ConnectionRequester } from './pool-queue';
import { type Statement } from './statement';

/** Milliseconds for a graceful end of a connection; a silent one never ends. */
const END_MS = 1000;

/** Data that a client must send to cancel the session's statement (PostgreSQL, BackendKeyData). */
export interface CancelKey {
  readonly processID: number;
  readonly secretKey: number;
}

/** A setting that the server reports. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The connection of `pg`, with a member that its types lack. */
interface PgConnection {
  /** Adds the parser to a stream, the encrypted one if there is encryption. */
  attachListeners(stream: Duplex): void;
}

/** Converts a value for a statement as the driver does; its types lack it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } })
  .utils;

/** A statement with its time limit, an option of `pg` that its types lack. */
export interface LimitedQuery extends QueryConfig {
  /** Milliseconds; 0 means no limit. */
  readonly query_timeout: number;
}

/** Adds the time limits up, because each statement waits for those before it. */
function preparedQueries(queries: readonly LimitedQuery[]): LimitedQuery[] {
  let limit = 0;
  return queries.map(({ values, query_timeout, ...query }, at) => {
    limit = query_timeout === 0 || (at > 0 && limit === 0) ? 0 : limit + query_timeout;
    // If the driver cannot convert a value, it skips that statement and sends the others.
    const prepared = values?.map((value: unknown) => prepareValue(value));
    return { ...query, query_timeout: limit, ...(prepared && { values: prepared }) };
  });
}

/** The error of a connection on which the server sent an invalid message. */
const invalidMessage = (cause: unknown): Error =>
  new Error('Connection terminated: the server sent an invalid message', { cause });

/**
 * A connection of the pool. Its loss never ends the process: the current or next statement fails.
 */
export class PoolClient extends Client {
  /** `performance.now()` at its creation. */
  readonly createdAt = performance.now();
  /** Its current user and the start of the use. */
  requester: ConnectionRequester | undefined;
  usedSince = 0;
  /** The statement that it runs outside a transaction. */
  statement: Statement | undefined;
  /** Whether it is in a transaction of a request that may write. */
  isWriting = false;
  /** Sent by the server after authentication. */
  cancelKey: CancelKey | undefined;

  /**
   * Id of the process of its session. Behind a pooler, that of {@link cancelKey} is another one,
   * and there is none if each transaction may have another session.
   */
  backendPid: number | undefined;
  /** Member of `pg` that its types lack: whether no statement is in progress. */
  declare readonly readyForQuery: boolean;
  /** Member that the types lack: whether it sends statements without waiting for responses. */
  declare pipeline: boolean;

  /** Whether the server reported at the connection that it is a standby. */
  private isReportedStandby = false;

  /** @param config with the servers of which the current one is connected to */
  constructor(config?: ClientConfig & { servers?: ServerList }) {
    super(config?.servers ? { ...config, connectionString: config.servers.current } : config);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.isReportedStandby = parameterValue === 'on';
    });
    const connection = this.connection as unknown as PgConnection;
    const attachListeners = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      attachListeners(stream);
      destroyOnParserError(stream, invalidMessage);
    };
    this.on('error', () => undefined);
    this.connection.on('backendKeyData', (key: CancelKey) => {
      this.cancelKey = key;
    });
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => {
      this.destroy();
    }, END_MS).unref();
    this.once('end', () => {
      clearTimeout(timer);
    });
    return callback ? super.end(callback) : super.end();
  }

  /**
   * Whether the server is a standby. A new session that is not reported as one is none. PgBouncer
   * repeats reports of earlier sessions, also after a promotion, so the server is asked then.
   *
   * @param timeoutMs for its response
   */
  async isOnStandby(timeoutMs: number): Promise<boolean> {
    if (!this.isReportedStandby) return false;
    const query: LimitedQuery = {
      text: 'SELECT pg_is_in_recovery() AS standby',
      query_timeout: timeoutMs,
    };
    const { rows } = await this.query<{ standby: boolean }>(query);
    return rows[0]?.standby === true;
  }

  /** Numbers of received and of unsent bytes. The text changes with any progress. */
  get traffic(): string {
    const { bytesRead, writableLength } = this.connection.stream as Socket;
    return `${bytesRead} ${writableLength}`;
  }

  /**
   * Sends statements in one packet, and waits for the responses to all of them. They have to be in
   * a transaction, in which PostgreSQL runs none after an error. Nothing else may use the connection
   * meanwhile.
   *
   * @returns their outcomes, in their order
   * @throws Error if a value cannot be sent: nothing is sent
   */
  async sendPipelined(
    queries: readonly LimitedQuery[],
  ): Promise<readonly PromiseSettledResult<QueryResult>[]> {
    const sent = preparedQueries(queries);
    const { stream } = this.connection;
    this.pipeline = true;
    try {
      stream.cork();
      const results = sent.map((query) => this.query(query));
      stream.uncork();
      return await Promise.allSettled(results);
    } finally {
      this.pipeline = false;
    }
  }

  /** Closes the socket at once. */
  destroy(): void {
    this.connection.stream.destroy();
  }
}
