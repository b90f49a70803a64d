import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { type SqlExecutor, type TransactionHooks } from '../database/database';
import { ModerationQueueService } from '../moderation/moderation-queue.service';
import { type QueueRow, type QueueState } from '../moderation/queue-entry';

/** Administration of the moderation queue. */
@Injectable()
export class AdminModerationQueueService {
  constructor(
    private readonly queue: ModerationQueueService,
    private readonly audit: AuditService,
  ) {}

  list(state: QueueState, page: PageQuery): Promise<Page<QueueRow>> {
    return this.queue.list(page, state);
  }

  /** All matching texts, oldest first. */
  scan(state: QueueState): AsyncGenerator<QueueRow> {
    return this.queue.scan(state);
  }

  /** @throws OperationError 1001 when not found */
  async getEntry(id: number): Promise<QueueRow> {
    const found = await this.queue.findQueueEntry(id);
    if (!found) throw notFound(`text not found in the moderation queue: ${id}`);
    return found;
  }

  /**
   * Makes a text visible to others. @throws OperationError 1001 when not found, 999 when already
   * decided or changed since
   */
  release(id: number, actor: Actor, by = actor.name): Promise<QueueRow> {
    return this.change('release', id, actor, (hooks) => this.queue.release(id, by, hooks));
  }

  /** Keeps a text visible to its author only. @throws OperationError like `release` */
  reject(id: number, actor: Actor, by = actor.name): Promise<QueueRow> {
    return this.change('reject', id, actor, (hooks) => this.queue.reject(id, by, hooks));
  }

  /**
   * Undoes the administrator's own decision within a minute.
   * @param decision its name, as a form shows it; undefined for the current decision
   * @throws OperationError 1001 when not found; 999 later, or when another decision is the current one
   */
  reopen(id: number, actor: Actor, decision?: string): Promise<QueueRow> {
    return this.change('reopen', id, actor, (hooks) =>
      this.queue.reopen(id, actor.name, hooks, decision),
    );
  }

  private change(
    verb: string,
    id: number,
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<QueueRow>,
  ): Promise<QueueRow> {
    const read = (executor: SqlExecutor) => this.queue.findQueueEntry(id, executor);
    const change = {
      actor,
      action: `moderation.${verb}`,
      kind: 'moderation',
      id: String(id),
      read,
    };
    return this.audit.logChange(change, work);
  }
}
