import { Injectable } from '@nestjs/common';
import { Database, statement, surroundedBy, type Runner } from '../database/database';

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

/** Who changes something. */
export interface Actor {
  /** The user's id; absent for whoever works on the machine itself. */
  readonly id?: number;
  /** Uid, or `cli:` and the name of the machine's user. */
  readonly name: string;
  /** Id of the request that the change came with. */
  readonly requestId?: string;
}

/** What is changed, and how to look at it: secrets are no part of what `read` returns. */
export interface Change {
  readonly actor: Actor;
  /** Such as `application.approve`. */
  readonly action: string;
  readonly kind: string;
  /** What says which thing of its kind it is; of what is only being made, found in what was made. */
  readonly id: string | ((made: object) => string);
  /** The thing as it is now; undefined when there is none. */
  readonly read: (runner: Runner) => Promise<object | undefined>;
}

/** Something else that a change brought along: how it was before, and is now. */
export interface Along {
  readonly id: string;
  readonly before?: object;
  readonly after: object;
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Writes down who changed what, when, and how it was before and after. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /**
   * Writes down something that is more than one transaction, and too much to keep as it was before
   * and after, such as an import.
   *
   * @param what says what it is; no secrets
   */
  async note(
    what: Omit<Change, 'read' | 'id'> & { readonly id: string },
    after: object,
  ): Promise<void> {
    await write(this.database, what, null, after);
  }

  /**
   * Carries out a change and writes it down, in one transaction: there is none without the other.
   * Changes of one thing come one after the other, so that each sees what the one before left. What
   * leaves a thing as it was is no change, and is not written down.
   *
   * @param work runs one transaction
   * @throws Error when `work` runs none; what `work` throws
   */
  async change<T>(change: Change, work: () => Promise<T>): Promise<T> {
    let seen = false;
    let before: string | null = null;
    const begin = async (runner: Runner): Promise<void> => {
      seen = true;
      before = null;
      if (typeof change.id !== 'string') return;
      await runner.query(LOCK, [`${change.kind}:${change.id}`]);
      before = json(await change.read(runner));
    };
    const end = async (runner: Runner): Promise<void> => {
      const after = await change.read(runner);
      if (json(after) !== before) await write(runner, change, before, after);
    };
    const result = await surroundedBy({ begin, end }, work);
    if (!seen) throw new Error(`${change.action} ran no transaction that it could be noted in`);
    return result;
  }

  /**
   * Writes down what else became of a change, in its transaction.
   *
   * @param along things of one kind, in the order in which they changed
   */
  async along(
    runner: Runner,
    { actor, action, kind }: Pick<Change, 'actor' | 'action' | 'kind'>,
    along: readonly Along[],
  ): Promise<void> {
    if (along.length === 0) return;
    const { id = null, name, requestId = null } = actor;
    await runner.query(WRITE_MORE, [id, name, action, kind, requestId, JSON.stringify(along)]);
  }
}

async function write(
  runner: Runner,
  { actor, action, kind, id: given }: Omit<Change, 'read'>,
  before: string | null,
  after: object | undefined,
): Promise<void> {
  const { id: actorId = null, name, requestId = null } = actor;
  const id = typeof given === 'string' ? given : given(after ?? {});
  await runner.query(WRITE, [actorId, name, action, kind, id, before, json(after), requestId]);
}
