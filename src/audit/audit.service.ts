import { Injectable } from '@nestjs/common';
import { Database, endingWith, statement, type Runner } from '../database/database';

const WRITE = statement(
  'audit.write',
  `INSERT INTO audit_log (actor_id, actor, action, target_kind, target_id, before, after, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
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
  readonly id: string;
  /** The thing as it is now; undefined when there is none. */
  readonly read: (runner: Runner) => Promise<object | undefined>;
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Writes down who changed what, when, and how it was before and after. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /**
   * Carries out a change and writes it down, in one transaction: there is none without the other.
   * What leaves the thing as it was is no change.
   *
   * @param work runs exactly one transaction
   * @throws Error when `work` runs none; what `work` throws
   */
  async change<T>(change: Change, work: () => Promise<T>): Promise<T> {
    const before = json(await change.read(this.database));
    let seen = false;
    const result = await endingWith(async (runner) => {
      seen = true;
      const after = json(await change.read(runner));
      if (after !== before) await this.write(runner, change, before, after);
    }, work);
    if (!seen) throw new Error(`${change.action} ran no transaction that it could be noted in`);
    return result;
  }

  /**
   * Writes down what was made, once its id is known, in the transaction that makes it.
   */
  async made(runner: Runner, change: Omit<Change, 'read'>, after: object): Promise<void> {
    await this.write(runner, change, null, json(after));
  }

  private async write(
    runner: Runner,
    { actor, action, kind, id }: Omit<Change, 'read'>,
    before: string | null,
    after: string | null,
  ): Promise<void> {
    const { id: actorId = null, name, requestId = null } = actor;
    await runner.run(WRITE, [actorId, name, action, kind, id, before, after, requestId]);
  }
}
