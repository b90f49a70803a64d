import { Injectable } from '@nestjs/common';
import { notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { type Runner } from '../database/database';
import {
  ModerationQueueService,
  type QueueRow,
  type QueueState,
} from '../moderation/moderation-queue.service';

/** Texts that wait for somebody to look at them. */
@Injectable()
export class AdminModerationQueueService {
  constructor(
    private readonly held: ModerationQueueService,
    private readonly audit: AuditService,
  ) {}

  list(state: QueueState, page: PageQuery): Promise<Page<QueueRow>> {
    return this.held.list(page, state);
  }

  /** All texts of a list, the oldest first. */
  scan(state: QueueState): AsyncGenerator<QueueRow> {
    return this.held.scan(state);
  }

  /** @throws NotPossible 1001 for an unknown one */
  async show(id: number): Promise<QueueRow> {
    const found = await this.held.byId(id);
    if (!found) throw notFound(`no such held text: ${id}`);
    return found;
  }

  /** Lets others see a text. @throws NotPossible 1001 unknown, 999 decided about or changed since */
  release(id: number, actor: Actor, by = actor.name): Promise<QueueRow> {
    return this.change('release', id, actor, () => this.held.release(id, by));
  }

  /** Leaves a text to its author alone. @throws NotPossible as `release` */
  reject(id: number, actor: Actor, by = actor.name): Promise<QueueRow> {
    return this.change('reject', id, actor, () => this.held.reject(id, by));
  }

  private change(
    verb: string,
    id: number,
    actor: Actor,
    work: () => Promise<QueueRow>,
  ): Promise<QueueRow> {
    const read = (runner: Runner) => this.held.byId(id, runner);
    const change = {
      actor,
      action: `moderation.${verb}`,
      kind: 'moderation',
      id: String(id),
      read,
    };
    return this.audit.change(change, work);
  }
}
