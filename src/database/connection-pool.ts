import { type Pool } from 'pg';
import { waitForBacklog } from '../api/http/connection-backlog';
import { type ClientPresence } from '../api/http/client-presence';
import { currentRequest } from '../api/http/current-request';
import { isSafe } from '../api/http/safe-methods';
import { closableRequester } from './closable-work';
import {
  hasNoResponse,
  isReadOnly,
  isSilent,
  leavesConnectionUsable,
  toConnectionError,
} from './database-errors';
import { type LimitedPool, type PoolLimits } from './limited-pool';
import { PoolClient } from './pool-client';
import { ClientLeft, BACKGROUND_WORK, PoolQueue, type ConnectionRequester } from './pool-queue';
import { SharesOfRoutes, type StatementUse } from './pool-shares';
import { isRepeatable } from './replicas/replicable';
import { StatementCancellation } from './statement-cancellation';
import { StalledCommits, WritesStalled } from './stalled-commits';
import { type Statement } from './statement';

/** A connection in use, until it is released. */
export type UsedClient = PoolClient & { release(error?: Error): void };

const isUsedClient = (client: unknown): client is UsedClient => client instanceof PoolClient;

/**
 * Minimum milliseconds between two replacements of all connections because the server is read-only:
 * meanwhile, reads may use it.
 */
const READ_ONLY_MS = 5000;

/** Milliseconds that reads on the former primary may take to end. */
const FORMER_PRIMARY_GRACE_MS = 1000;

/** Milliseconds after which a request's use of a connection counts as long. */
const LONG_REQUEST_MS = 15_000;

/** Whether connections are not for requests or probes. */
const isBackground = (requester: ConnectionRequester): boolean =>
  requester.share === undefined && requester.presence === undefined && requester.first !== true;

/**
 * A pool of `pg` behind a bounded queue. It only takes back usable connections. When one is
 * lost, all connections opened before are replaced, because the cause, such as a failover, usually
 * affects all of them.
 */
export class ConnectionPool {
  readonly limits: PoolLimits;
  private trustedSince = 0;
  private readonly queue: PoolQueue;
  private readonly shares: SharesOfRoutes;
  private readonly inUse = new Set<UsedClient>();
  /** Writes that wait for a synchronous standby. */
  readonly commits = new StalledCommits(
    () => this.pool,
    () => {
      this.endWrites();
    },
  );

  constructor(private readonly source: LimitedPool) {
    const { limits, size } = source;
    this.limits = limits;
    this.queue = new PoolQueue(size, limits.queue);
    this.shares = new SharesOfRoutes(size, limits.queue.length);
  }

  /** The pool of `pg`. */
  get pool(): Pool {
    return this.source.pool;
  }

  /** Number of requests and other work that wait for a connection. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * A connection for the current request or for background work.
   *
   * @throws PoolBusy, ClientLeft; Error of `pg` when no connection is available in time
   */
  async acquire(requester = this.requester()): Promise<UsedClient> {
    const turn = this.queue.enter(requester);
    if (turn) await turn;
    const accepting = requester.share ? waitForBacklog() : undefined;
    if (accepting) await accepting;
    const startedAt = performance.now();
    try {
      for (;;) {
        const client: unknown = await this.open();
        if (!isUsedClient(client)) throw new Error('the pool has a client of another class');
        if (requester.presence?.hasLeft) {
          client.release();
          throw new ClientLeft('the client left');
        }
        if (client.createdAt >= this.trustedSince) {
          client.requester = requester;
          client.usedSince = startedAt;
          if (requester.presence) requester.presence.hasBegun = true;
          this.inUse.add(client);
          return client;
        }
        client.release(new Error('opened before a connection was lost'));
      }
    } catch (error) {
      this.queue.leave(requester, performance.now() - startedAt);
      throw error;
    }
  }

  private async open(): Promise<unknown> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw toConnectionError(error);
    }
  }

  /**
   * Releases a connection to the pool, or ends it when it is not usable.
   *
   * @param error error of the last statement
   */
  release(client: UsedClient, error?: unknown): void {
    if (error === undefined || leavesConnectionUsable(error)) this.leave(client);
    else this.discard(client, error);
  }

  /** Ends a connection. @param error of its last statement */
  discard(client: UsedClient, error: unknown): void {
    this.distrust(error);
    this.leave(client, error as Error);
  }

  /** Ends the use of a connection, and the connection if there is an error. */
  private leave(client: UsedClient, error?: Error): void {
    const { requester = BACKGROUND_WORK, usedSince } = client;
    this.inUse.delete(client);
    client.requester = undefined;
    client.statement = undefined;
    client.isWriting = false;
    client.release(error);
    this.queue.leave(requester, performance.now() - usedSince);
  }

  /** Rows of one statement. @throws PoolBusy, ClientLeft, WritesStalled; errors of `pg` */
  async query<T>(
    what: Statement,
    values: readonly unknown[],
    requester?: ConnectionRequester,
  ): Promise<T[]> {
    this.requireWritable(what);
    const { name, text } = what;
    const client = await this.acquire(requester);
    const cancellation = client.requester?.cancellable
      ? new StatementCancellation(client)
      : undefined;
    let failure: unknown;
    client.statement = what;
    try {
      this.requireWritable(what);
      const query_timeout = this.limits.queryTimeoutMs;
      const query = { name, text, values: values as unknown[], query_timeout };
      return (await client.query<never>(query)).rows;
    } catch (error) {
      failure = error;
      throw cancellation?.cancelled ? new ClientLeft('the client left') : error;
    } finally {
      const cancelling = cancellation?.end();
      // The connection is usable, but its next statement might be cancelled.
      if (cancelling && !(await cancelling)) this.leave(client, new Error('not yet cancelled'));
      else this.release(client, failure);
    }
  }

  /**
   * Closes the connections of writes. Some wait for a synchronous standby, or for locks of such writes,
   * and would keep reads from having connections until they time out. Others are on a former primary,
   * where a commit would be lost.
   */
  private endWrites(): void {
    for (const client of this.inUse) {
      const { statement } = client;
      if (client.isWriting || (statement && !isRepeatable(statement))) client.destroy();
    }
  }

  /** @throws WritesStalled for a statement that may write while writes are stalled */
  private requireWritable(what: Statement): void {
    if (this.commits.isStalled && !isRepeatable(what)) throw new WritesStalled();
  }

  /** Connections in use by work that is not part of a request, such as jobs and commands. */
  get background(): UsedClient[] {
    return [...this.inUse].filter(({ requester }) => requester && isBackground(requester));
  }

  /** Connections that requests have used for {@link LONG_REQUEST_MS}, without a break. */
  get ofLongRequests(): UsedClient[] {
    const since = performance.now() - LONG_REQUEST_MS;
    return [...this.inUse].filter(
      ({ requester, usedSince }) => requester && !isBackground(requester) && usedSince < since,
    );
  }

  /** Replaces every open connection before its next use. */
  renew(): void {
    this.trustedSince = performance.now();
  }

  /**
   * Replaces every open connection, because new ones lead to the new primary. Writes are repeated
   * there, unless they were being committed. Reads that do not end soon fail. On a frozen server, they
   * would wait until they time out.
   */
  reconnectToNewPrimary(): void {
    this.renew();
    this.endWrites();
    const former = [...this.inUse];
    setTimeout(() => {
      for (const client of former) if (this.inUse.has(client)) client.destroy();
    }, FORMER_PRIMARY_GRACE_MS).unref();
  }

  private distrust(error: unknown): void {
    const now = performance.now();
    // Statements outside a transaction commit, too.
    if (isSilent(error)) this.commits.check();
    if (hasNoResponse(error) || (isReadOnly(error) && now - this.trustedSince > READ_ONLY_MS)) {
      this.trustedSince = now;
    }
  }

  /** Requests of the route of the current one, together. @param presence of all their clients */
  ofRoute(presence: ClientPresence): ConnectionRequester {
    const request = currentRequest();
    const share = request && this.shares.of(request);
    return { share, presence, cancellable: true };
  }

  /** The current request. @param use of the statement */
  requester(use?: StatementUse): ConnectionRequester {
    const request = currentRequest();
    if (!request) return closableRequester() ?? BACKGROUND_WORK;
    const { method, presence } = request;
    const share = this.shares.of(request, use);
    // Their work may be cancelled.
    if (isSafe(method)) return { share, presence, cancellable: true };
    return { share, presence: presence.hasBegun ? undefined : presence };
  }
}
