import { Injectable } from '@nestjs/common';
import { ApiError, OperationError, notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { Database, type Runner } from '../database/database';
import { QUEUED_TYPES, type QueuedType } from '../moderation/moderation-queue.repository';
import { ModerationQueueService, type QueueRow } from '../moderation/moderation-queue.service';
import { type ReportedKind } from '../moderation/reported-kinds';
import { ReportsRepository, type ReportRow, type ReportState } from './reports.repository';

/** What is done about a report. */
export const RESOLUTIONS = ['dismiss', 'hide'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

const canHide = (kind: string): kind is QueuedType =>
  (QUEUED_TYPES as readonly string[]).includes(kind);

/** What users want administrators to look at. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportsRepository,
    private readonly held: ModerationQueueService,
    private readonly audit: AuditService,
  ) {}

  /** @throws ApiError 1006 for what is not there, or what others do not see */
  async report(kind: ReportedKind, id: number, userId: number, reason: string): Promise<void> {
    if (!(await this.reports.isThere(kind, id))) {
      throw new ApiError('targetNotFound', { detail: `there is no such ${kind}` });
    }
    await this.reports.add(kind, id, userId, reason);
  }

  list(
    state: ReportState,
    kind: ReportedKind | undefined,
    page: PageQuery,
  ): Promise<Page<ReportRow>> {
    return this.reports.list(state, kind, page);
  }

  /** All reports of a list, the oldest first. */
  scan(state: ReportState, kind: ReportedKind | undefined): AsyncGenerator<ReportRow> {
    return this.reports.scan(state, kind);
  }

  /** @throws NotPossible 1001 for an unknown one */
  async show(id: number): Promise<ReportRow> {
    return this.known(id, await this.reports.byId(id));
  }

  /**
   * Decides about every open report of a thing: there is nothing in them, or the thing is left to
   * its author alone, as a held text that was rejected. Releasing it there shows it again. The log
   * has each report, and the held text.
   *
   * @throws NotPossible 1001 for an unknown report, 999 for one that was decided about and for
   * hiding what cannot be hidden
   */
  async resolve(id: number, action: Resolution, comment: string, actor: Actor): Promise<ReportRow> {
    const read = (runner: Runner) => this.reports.byId(id, runner);
    const change = { actor, action: `report.${action}`, kind: 'report', id: String(id), read };
    await this.audit.change(change, () =>
      this.database.transaction(async (runner) => {
        const report = this.known(id, await read(runner));
        const open = new Map(
          (await this.reports.lockOpen(runner, report)).map((one) => [one.id, one]),
        );
        if (!open.has(id)) throw new OperationError(`report ${id} was decided about`);
        if (action === 'hide') await this.hide(runner, report, actor);
        const state = action === 'hide' ? 'hidden' : 'dismissed';
        const decided = await this.reports.resolve(runner, report, state, actor.name, comment);
        const others = decided.filter((one) => one.id !== id);
        await this.audit.along(
          runner,
          change,
          others.map((after) => ({ id: String(after.id), before: open.get(after.id), after })),
        );
      }),
    );
    return this.show(id);
  }

  private async hide(runner: Runner, { kind, target_id }: ReportRow, actor: Actor): Promise<void> {
    if (!canHide(kind)) {
      throw new OperationError(`a ${kind} cannot be hidden: there are ${QUEUED_TYPES.join(', ')}`);
    }
    const id = await this.held.hide(runner, kind, target_id, actor.name);
    const after = (await this.held.byId(id, runner)) as QueueRow;
    const made = { actor, action: 'moderation.hide', kind: 'moderation' };
    await this.audit.along(runner, made, [{ id: String(id), after }]);
  }

  private known(id: number, report: ReportRow | undefined): ReportRow {
    if (!report) throw notFound(`no such report: ${id}`);
    return report;
  }
}
