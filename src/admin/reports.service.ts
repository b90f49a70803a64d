import { Injectable } from '@nestjs/common';
import { ApiError, OperationError, notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { REPORTABLE_BOOK_TEXTS } from '../books/reportable-texts';
import {
  Database,
  type SqlExecutor,
  type Statement,
  type TransactionHooks,
} from '../database/database';
import { REPORTABLE_EVENTS } from '../events/reportable-events';
import { QUEUED_TYPES, type QueuedType } from '../moderation/moderation-queue.repository';
import { ModerationQueueService } from '../moderation/moderation-queue.service';
import { type QueueRow } from '../moderation/queue-entry';
import { type ReportedKind } from '../moderation/reported-kinds';
import {
  ReportsRepository,
  type NewReport,
  type ReportedContentRow,
  type ReportRow,
  type ReportState,
} from '../moderation/reports.repository';
import { REPORTABLE_MOVIE_CONTENT } from '../movies/reportable-content';
import { REPORTABLE_NOTES } from '../notes/reportable-notes';
import { REPORTABLE_USERS } from '../users/reportable-users';

/** The possible resolutions of a report. */
export const RESOLUTIONS = ['dismiss', 'hide'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Finds reported content that other users can see. */
const REPORTABLE: Readonly<Record<ReportedKind, Statement>> = {
  ...REPORTABLE_USERS,
  ...REPORTABLE_BOOK_TEXTS,
  ...REPORTABLE_NOTES,
  ...REPORTABLE_MOVIE_CONTENT,
  ...REPORTABLE_EVENTS,
};

/** Whether content of a kind can be hidden. */
export const canHide = (kind: string): kind is QueuedType =>
  (QUEUED_TYPES as readonly string[]).includes(kind);

/** Administration of reports. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportsRepository,
    private readonly queue: ModerationQueueService,
    private readonly audit: AuditService,
  ) {}

  /** @throws ApiError 1006 when the content does not exist or is hidden from others */
  async report(report: NewReport, hooks?: TransactionHooks): Promise<void> {
    const { kind, id } = report;
    if ((await this.database.query(REPORTABLE[kind], [id])).length === 0) {
      throw new ApiError('targetNotFound', { detail: `${kind} not found` });
    }
    await this.reports.insertReport(report, hooks);
  }

  list(
    state: ReportState,
    kind: ReportedKind | undefined,
    page: PageQuery,
  ): Promise<Page<ReportRow>> {
    return this.reports.list(state, kind, page);
  }

  /** Content with reports in a state, each with all its reports. */
  listReportedContent(state: ReportState, page: PageQuery): Promise<Page<ReportedContentRow>> {
    return this.reports.listReportedContent(state, page);
  }

  /** All matching reports, oldest first. */
  scan(state: ReportState, kind: ReportedKind | undefined): AsyncGenerator<ReportRow> {
    return this.reports.scan(state, kind);
  }

  /** @throws OperationError 1001 when not found */
  async getReport(id: number): Promise<ReportRow> {
    return this.orNotFound(id, await this.reports.findReport(id));
  }

  /**
   * Resolves all open reports of the same content. Either dismisses them, or hides the content from
   * everybody except its author, like a rejected text of the moderation queue. Releasing it there
   * makes it visible again. The audit log has each report and the queue entry.
   * @throws OperationError 1001 when the report is not found, 999 when it is resolved or the
   * content cannot be hidden
   */
  async resolve(id: number, action: Resolution, comment: string, actor: Actor): Promise<ReportRow> {
    const state = action === 'hide' ? 'hidden' : 'dismissed';
    return this.change(action, id, actor, async (executor, report) => {
      const open = await this.reports.lockOpen(executor, report);
      if (!open.some((one) => one.id === id))
        throw new OperationError(`report ${id} is already resolved`);
      if (action === 'hide') await this.hide(executor, report, actor);
      return [open, await this.reports.resolve(executor, open, state, actor.name, comment)];
    });
  }

  /**
   * Undoes the administrator's own decision within a minute: the reports that it resolved are open
   * again, except those of users who have reported the content again since, and hidden content is
   * visible. The audit log has each report and the queue entry.
   * @throws OperationError 1001 when the report is not found, 999 when the decision cannot be undone
   */
  async reopen(id: number, actor: Actor): Promise<ReportRow> {
    return this.change('reopen', id, actor, async (executor, report) => {
      const isHidden = report.state === 'hidden';
      if (isHidden) await this.unhide(executor, report, actor);
      const decided = await this.reports.lockUndoable(executor, report, actor.name);
      const reopened = await this.reports.reopen(executor, decided);
      // When all reporters have reported the content again, there is only its hiding to undo.
      if (decided.length === 0 || (reopened.length === 0 && !isHidden))
        throw new OperationError(
          `the decision about report ${id} cannot be undone; only the moderator who decided can undo it, within a minute`,
        );
      return [decided, reopened];
    });
  }

  /**
   * Changes reports of a content. It locks a text before its queue entry and its reports, like
   * `ModerationQueueService`.
   * @param work returns the changed reports before and after
   */
  private async change(
    verb: string,
    id: number,
    actor: Actor,
    work: (
      executor: SqlExecutor,
      report: ReportRow,
    ) => Promise<readonly [ReportRow[], ReportRow[]]>,
  ): Promise<ReportRow> {
    const read = (executor: SqlExecutor) => this.reports.findReport(id, executor);
    const change = { actor, action: `report.${verb}`, kind: 'report', id: String(id), read };
    const changed = await this.audit.logChangeAndRead(change, (hooks) =>
      this.database.transaction(async (executor) => {
        const report = await this.lockContent(executor, id);
        const [before, after] = await work(executor, report);
        const others = after.filter((one) => one.id !== id);
        await this.audit.logSideEffects(
          executor,
          change,
          others.map((one) => ({
            id: String(one.id),
            before: before.find((earlier) => earlier.id === one.id),
            after: one,
          })),
        );
      }, hooks),
    );
    return this.orNotFound(id, changed);
  }

  /** Locks the reported text, if it can be hidden. @returns the report as read after the lock */
  private async lockContent(executor: SqlExecutor, id: number): Promise<ReportRow> {
    let report = this.orNotFound(id, await this.reports.findReport(id, executor));
    for (;;) {
      const { kind, target_id } = report;
      if (!canHide(kind)) return report;
      await this.queue.lockText(executor, kind, target_id);
      // A merge of books can give the report to another collection while this waits for the lock.
      report = this.orNotFound(id, await this.reports.findReport(id, executor));
      if (report.target_id === target_id) return report;
    }
  }

  private async hide(
    executor: SqlExecutor,
    { kind, target_id }: ReportRow,
    actor: Actor,
  ): Promise<void> {
    if (!canHide(kind)) {
      throw new OperationError(
        `a ${kind} cannot be hidden; supported types: ${QUEUED_TYPES.join(', ')}`,
      );
    }
    const id = await this.queue.hide(executor, kind, target_id, actor.name);
    const after = (await this.queue.findQueueEntry(id, executor)) as QueueRow;
    const made = { actor, action: 'moderation.hide', kind: 'moderation' };
    await this.audit.logSideEffects(executor, made, [{ id: String(id), after }]);
  }

  private async unhide(
    executor: SqlExecutor,
    { id: reportId, kind, target_id }: ReportRow,
    actor: Actor,
  ): Promise<void> {
    if (!canHide(kind)) return;
    const by = { by: actor.name, reportId };
    const before = await this.queue.unhide(executor, kind, target_id, by);
    const undone = { actor, action: 'moderation.unhide', kind: 'moderation' };
    await this.audit.logSideEffects(executor, undone, [{ id: String(before.id), before }]);
  }

  private orNotFound(id: number, report: ReportRow | undefined): ReportRow {
    if (!report) throw notFound(`report not found: ${id}`);
    return report;
  }
}
