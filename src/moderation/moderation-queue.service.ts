import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { firstOf } from '../api/input/text-input';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { FilteredList } from '../database/filtered-list';
import {
  DECISION_FILTERS,
  decisionFilters,
  isLatestSql,
  isSameContentSql,
  isUndoableSql,
} from './decisions.sql';
import { findEarlierDecision } from './earlier-decisions';
import { type Hidden } from './hiding';
import { EXCERPT, type QueuedType } from './moderation-queue.repository';
import { deleteHiddenEntry, insertHiddenEntry } from './hidden-entries';
import { decisionName, QUEUE_COLUMNS, type QueueRow, type QueueState } from './queue-entry';

const LIST = new FilteredList<'open' | 'state', QueueRow>({
  name: 'moderation_queue.list',
  from: 'moderation_queue h',
  filters: DECISION_FILTERS,
  columns: QUEUE_COLUMNS,
  joins: 'LEFT JOIN moderation_queue h ON h.id = p.id LEFT JOIN users u ON u.id = h.user_id',
});

const BY_ID = statement(
  'moderation_queue.by_id',
  `SELECT ${QUEUE_COLUMNS} FROM moderation_queue h JOIN users u ON u.id = h.user_id WHERE h.id = $1`,
);

// An open entry belongs to the current version of a text. A changed text cannot be decided
// otherwise, because a moderator has to review the new version.
const DECIDE = statement(
  'moderation_queue.decide',
  `UPDATE moderation_queue h SET decision = $2, decided_by = $3,
     decided_at = date_trunc('second', now())
   WHERE h.id = $1 AND coalesce(h.decision, 'open') = $4
     AND ($4 = 'open' OR ${isLatestSql('h')})
   RETURNING 1`,
);

// A text has at most one open entry. An import can have stored one of a visible text, which a
// moderator then hid with another entry.
const REOPEN = statement(
  'moderation_queue.reopen',
  `UPDATE moderation_queue h SET decision = nullif($4, 'open'), decided_by = $5,
     decided_at = $6::timestamptz
   WHERE h.id = $1 AND h.decision = $2 AND ${isUndoableSql('h', '$3')} AND ${isLatestSql('h')}
     AND ($4 <> 'open' OR NOT EXISTS (SELECT 1 FROM moderation_queue other
       WHERE ${isSameContentSql('other', 'h')} AND other.decision IS NULL))
   RETURNING 1`,
);

/** Whether an import has stored an open entry of the text since {@link REOPEN} began. */
const hasOpenEntry = (error: unknown): boolean =>
  (error as { constraint?: unknown }).constraint === 'moderation_queue_open_unique';

/** Functions that change texts of a kind in a transaction; each module registers its own. */
export interface ModeratedTexts {
  /**
   * Locks a text until the transaction ends, after the book or note whose counters depend on it.
   * @returns whether the text exists
   */
  readonly lock: (executor: SqlExecutor, targetId: number) => Promise<boolean>;
  /** Makes a locked text visible to others. */
  readonly show: (executor: SqlExecutor, targetId: number) => Promise<void>;
  /** Hides a locked text from others; undefined when not found or already hidden. */
  readonly hide: (executor: SqlExecutor, targetId: number) => Promise<Hidden | undefined>;
}

const notUndoable = (id: number): OperationError =>
  new OperationError(
    `the decision about text ${id} cannot be undone; only the moderator who decided can undo it, within a minute`,
  );

/**
 * The moderation queue.
 *
 * Each transaction locks the text first, then its queue entry, then its reports. Edits, deletions,
 * imports and merges of books lock the text, or the book above it, before the entry too. Therefore
 * a decision and an edit of one text run one after the other, and cannot deadlock: an edit after a
 * rejection sees the rejection, and a decision after an edit sees the newer version.
 */
@Injectable()
export class ModerationQueueService {
  private readonly texts = new Map<QueuedType, ModeratedTexts>();

  constructor(private readonly database: Database) {}

  /** Registers how texts of a kind are locked, shown and hidden. */
  register(kind: QueuedType, texts: ModeratedTexts): void {
    this.texts.set(kind, texts);
  }

  /** Locks a text until the transaction ends. @returns whether it exists */
  lockText(executor: SqlExecutor, kind: QueuedType, targetId: number): Promise<boolean> {
    return this.textsOf(kind).lock(executor, targetId);
  }

  /**
   * Hides a visible text, like a rejected one. The caller locks it first with `lockText`.
   * @returns id of the queue entry
   * @throws OperationError for a text that is not found or already hidden
   */
  async hide(
    executor: SqlExecutor,
    kind: QueuedType,
    targetId: number,
    by: string,
  ): Promise<number> {
    const hidden = await this.textsOf(kind).hide(executor, targetId);
    if (!hidden) throw new OperationError(`${kind} not found or already hidden`);
    if (hidden.userId === null)
      throw new OperationError(`the author of this ${kind} is not a user of this service`);
    const excerpt = firstOf(hidden.text, EXCERPT);
    return insertHiddenEntry(executor, { kind, targetId, userId: hidden.userId, excerpt, by });
  }

  /**
   * Undoes the moderator's own `hide` within a minute: the text is visible again, and its entry is
   * deleted. The caller locks the text first with `lockText`.
   * @param reportId one of the reports that the same transaction resolved
   * @returns the deleted entry
   * @throws OperationError for a text that its author has changed, or about which there was another
   *   decision, since
   */
  async unhide(
    executor: SqlExecutor,
    kind: QueuedType,
    targetId: number,
    { by, reportId }: { readonly by: string; readonly reportId: number },
  ): Promise<QueueRow> {
    await this.textsOf(kind).show(executor, targetId);
    const entry = await deleteHiddenEntry(executor, { kind, targetId, by, reportId });
    if (!entry) throw new OperationError(`hiding this ${kind} cannot be undone`);
    return entry;
  }

  /** Entries in a state, oldest first. */
  list(page: PageQuery, state: QueueState = 'open'): Promise<Page<QueueRow>> {
    return LIST.page(this.database, decisionFilters(state), page);
  }

  /** All matching entries, oldest first. */
  scan(state: QueueState): AsyncGenerator<QueueRow> {
    return LIST.scan(this.database, decisionFilters(state));
  }

  /** @param executor a transaction for the query; defaults to the pool */
  async findQueueEntry(
    id: number,
    executor: SqlExecutor = this.database,
  ): Promise<QueueRow | undefined> {
    return (await executor.query<QueueRow>(BY_ID, [id]))[0];
  }

  /**
   * Makes a text visible to others, also after a rejection.
   * @throws OperationError for a text that is not found, already visible, rejected meanwhile, or
   * changed since
   */
  release(id: number, by: string, hooks?: TransactionHooks): Promise<QueueRow> {
    return this.changeDecision(id, 'released', by, hooks);
  }

  /**
   * Hides a text from others, even a released one, until a moderator releases it.
   * @throws OperationError for a text that is not found, already decided, or changed since
   */
  reject(id: number, by: string, hooks?: TransactionHooks): Promise<QueueRow> {
    return this.changeDecision(id, 'rejected', by, hooks);
  }

  private async changeDecision(
    id: number,
    decision: 'released' | 'rejected',
    by: string,
    hooks: TransactionHooks | undefined,
  ): Promise<QueueRow> {
    // Read before the lock, so that the decision of another moderator meanwhile is not overruled.
    const { state } = await this.getEntry(id);
    const opposite = decision === 'released' ? 'rejected' : 'released';
    const from = state === opposite ? opposite : 'open';
    return this.changeEntry(id, hooks, async (executor, { kind, target_id }) => {
      const { show, hide } = this.textsOf(kind);
      // An import can have stored an open entry of a visible text, which a rejection hides.
      await (decision === 'released' ? show : hide)(executor, target_id);
      await this.decide(executor, id, decision, by, from);
    });
  }

  /**
   * Undoes the moderator's own decision within a minute: the entry has its earlier decision again,
   * or is open. A text whose earlier decision was a release is visible, others are hidden.
   * @param decision name of the decision, see {@link decisionName}: a repeated request does not undo
   * the decision before it; undefined undoes the current decision
   * @throws OperationError for a text that is not found, changed or deleted since, or decided
   * otherwise
   */
  reopen(id: number, by: string, hooks?: TransactionHooks, decision?: string): Promise<QueueRow> {
    return this.changeEntry(id, hooks, async (executor, entry, exists) => {
      const { kind, target_id, state } = entry;
      const { show, hide } = this.textsOf(kind);
      if (decision !== undefined && decision !== decisionName(entry)) throw notUndoable(id);
      const earlier = await findEarlierDecision(executor, entry);
      await (earlier.state === 'released' ? show : hide)(executor, target_id);
      const values = [id, state, by, earlier.state, earlier.decided_by, earlier.decided];
      if (!exists || !(await this.restoreDecision(executor, values))) throw notUndoable(id);
    });
  }

  /** @returns whether {@link REOPEN} has changed the entry */
  private async restoreDecision(
    executor: SqlExecutor,
    values: readonly unknown[],
  ): Promise<boolean> {
    try {
      return (await executor.query(REOPEN, values)).length > 0;
    } catch (error) {
      if (hasOpenEntry(error)) return false;
      throw error;
    }
  }

  /**
   * Changes an entry in a transaction that first locks its text.
   * @param work gets the entry as read after the lock, and whether its text exists
   */
  private async changeEntry(
    id: number,
    hooks: TransactionHooks | undefined,
    work: (executor: SqlExecutor, entry: QueueRow, exists: boolean) => Promise<void>,
  ): Promise<QueueRow> {
    await this.database.transaction(async (executor) => {
      let entry = await this.getEntry(id, executor);
      for (;;) {
        const { target_id } = entry;
        const exists = await this.lockText(executor, entry.kind, target_id);
        // A merge of books can give the entry to another collection while this waits for the lock.
        entry = await this.getEntry(id, executor);
        if (entry.target_id === target_id) return work(executor, entry, exists);
      }
    }, hooks);
    return this.getEntry(id);
  }

  private textsOf(kind: QueuedType): ModeratedTexts {
    const texts = this.texts.get(kind);
    if (!texts) throw new Error(`no functions are registered for texts of the kind ${kind}`);
    return texts;
  }

  private async getEntry(id: number, executor?: SqlExecutor): Promise<QueueRow> {
    const row = await this.findQueueEntry(id, executor);
    if (!row) throw notFound(`text not found in the moderation queue: ${id}`);
    return row;
  }

  private async decide(
    executor: SqlExecutor,
    id: number,
    decision: QueueState,
    by: string,
    from: QueueState,
  ): Promise<void> {
    if ((await executor.query(DECIDE, [id, decision, by, from])).length > 0) return;
    throw new OperationError(`text ${id} was already decided, or its author has changed it`);
  }
}
