import { Injectable } from '@nestjs/common';
import {
  Database,
  nestHooks,
  statement,
  type SqlExecutor,
  type TransactionHooks,
} from '../database/database';

const LOCK = statement(
  'audit.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('audit:' || $1, 0))`,
);

const WRITE = statement(
  'audit.write',
  `INSERT INTO audit_log (actor_id, actor, action, target_kind, target_id, before, after, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const WRITE_MORE = statement(
  'audit.write_more',
  `INSERT INTO audit_log (actor_id, actor, action, target_kind, target_id, before, after, request_id)
   SELECT $1, $2, $3, $4, r.id, r.before, r.after, $5
   FROM ROWS FROM (json_to_recordset($6::json) AS (id text, before json, after json))
     WITH ORDINALITY AS r(id, before, after, at)
   ORDER BY r.at`,
);

/** The actor of a change. */
export interface Actor {
  /** The user's id; absent for the command line. */
  readonly id?: number;
  /** Uid, or `cli:` and the name of the operating system user. */
  readonly name: string;
  /** Id of the request that made the change. */
  readonly requestId?: string;
  /** Hooks of that request's transaction, such as its idempotency key. */
  readonly hooks?: TransactionHooks | undefined;
}

/** Describes a change and how to read its target. `read` never returns secrets. */
export interface Change<State extends object = object> {
  readonly actor: Actor;
  /** For example `application.approve`. */
  readonly action: string;
  readonly kind: string;
  /** Id of the target; for a created target, derived from the created state. */
  readonly id: string | ((made: object) => string);
  /**
   * Changes of this kind with the same key are serialized; the id by default. Set it if changes with
   * different ids can have the same targets.
   */
  readonly lockKey?: string;
  /** The current state of the target; undefined when it does not exist. */
  readonly read: (executor: SqlExecutor) => Promise<State | undefined>;
}

/**
 * A side effect of a change: the state of another target before and after. A created target has no
 * state before, a deleted one no state after.
 */
export interface SideEffect {
  readonly id: string;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Logs who changed what and when, with the state before and after. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /**
   * Logs an operation that has many transactions and no small state before and after, such as an
   * import.
   * @param what description of the operation, without secrets
   * @param executor the transaction of a change whose state before is not logged
   */
  async log(
    what: Omit<Change, 'read' | 'id'> & { readonly id: string },
    after: object,
    executor: SqlExecutor = this.database,
  ): Promise<void> {
    await write(executor, what, null, after);
  }

  /**
   * Makes and logs a change in one transaction: either both happen or neither. Changes of the same
   * target are serialized, so that each sees the previous result. No-op changes are not logged.
   * @param work runs one transaction and passes it the hooks
   * @throws Error when the hooks did not run; the exception of `work`
   */
  async logChange<T>(change: Change, work: (hooks: TransactionHooks) => Promise<T>): Promise<T> {
    let seen = false;
    let before: string | null = null;
    const begin = async (executor: SqlExecutor): Promise<void> => {
      seen = true;
      before = null;
      if (typeof change.id !== 'string') return;
      await executor.query(LOCK, [`${change.kind}:${change.lockKey ?? change.id}`]);
      before = json(await change.read(executor));
    };
    const end = async (executor: SqlExecutor): Promise<void> => {
      const after = await change.read(executor);
      if (json(after) !== before) await write(executor, change, before, after);
    };
    const result = await work(nestHooks(change.actor.hooks, { begin, end }));
    if (!seen)
      throw new Error(`${change.action} ran no transaction with the hooks of the audit log`);
    return result;
  }

  /**
   * Like `logChange`, for a change whose response is the new state of the target. The state is read in
   * the transaction, because a read after the commit could fail although the change was made.
   * @returns the state as `read` reads it; undefined when the target does not exist
   */
  async logChangeAndRead<State extends object>(
    change: Change<State>,
    work: (hooks: TransactionHooks) => Promise<unknown>,
  ): Promise<State | undefined> {
    let latest: State | undefined;
    const read = async (executor: SqlExecutor) => (latest = await change.read(executor));
    await this.logChange({ ...change, read }, work);
    return latest;
  }

  /**
   * Logs side effects of a change in its transaction.
   * @param effects targets of one kind in the order of their changes
   */
  async logSideEffects(
    executor: SqlExecutor,
    { actor, action, kind }: Pick<Change, 'actor' | 'action' | 'kind'>,
    effects: readonly SideEffect[],
  ): Promise<void> {
    if (effects.length === 0) return;
    const { id = null, name, requestId = null } = actor;
    await executor.query(WRITE_MORE, [id, name, action, kind, requestId, JSON.stringify(effects)]);
  }
}

async function write(
  executor: SqlExecutor,
  { actor, action, kind, id: idOrRead }: Omit<Change, 'read'>,
  before: string | null,
  after: object | undefined,
): Promise<void> {
  const { id: actorId = null, name, requestId = null } = actor;
  const id = typeof idOrRead === 'string' ? idOrRead : idOrRead(after ?? {});
  await executor.query(WRITE, [actorId, name, action, kind, id, before, json(after), requestId]);
}
