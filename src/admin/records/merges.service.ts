import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../../api/errors/error-codes';
import { AuditService, type Actor } from '../../audit/audit.service';
import { Database, type SqlExecutor } from '../../database/database';
import { DirectDatabase } from '../../database/direct-database';
import { type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { isDuplicate } from '../../import-export/engine/data-errors';
import { RecordHandlers } from '../../import-export/engine/handlers';
import {
  type Merge,
  type MovedCounts,
  type RecordMerging,
} from '../../import-export/engine/merging';
import { storeRecords } from '../../import-export/engine/store';
import { MergedIdsLoader } from '../../merges/merged-ids-loader';
import { findSurvivors, insertMerge, listMergedInto } from '../../merges/merged-records';
import { mergeRecord } from './records.input';
import { type RecordType } from './record-types';
import { recordChangeOptions } from './record-change-options';
import { RecordsService } from './records.service';

/**
 * Runs a transaction again if another one has meanwhile created a row like one that it moved, such as
 * a user's report. The repeat finds the row.
 */
async function repeatAfterDuplicate(transaction: () => Promise<void>): Promise<void> {
  try {
    await transaction();
  } catch (error) {
    if (!(error instanceof Error && isDuplicate(error))) throw error;
    await transaction();
  }
}

/** What a merge would do. */
export interface MergePreview {
  readonly survivor: WireRecord;
  readonly other: WireRecord;
  /** The members of the survivor that change. */
  readonly changes: WireRecord;
  /** Numbers of rows about the other record that the survivor gets, by their name. */
  readonly moved: MovedCounts;
}

/**
 * Merges two books or films that are one (D149). Everything about the record follows to the
 * survivor, and requests with the former id are answered with the survivor.
 */
@Injectable()
export class MergesService {
  constructor(
    private readonly database: Database,
    private readonly direct: DirectDatabase,
    private readonly handlers: RecordHandlers,
    private readonly records: RecordsService,
    private readonly audit: AuditService,
    private readonly ids: MergedIdsLoader,
  ) {}

  /** Whether records of a type can be merged. */
  canMerge({ kind }: RecordType): boolean {
    return this.handlers.edited(kind).editing.merging !== undefined;
  }

  /** The record into which a record was merged. */
  async survivorOf(of: RecordType, id: number): Promise<number | undefined> {
    const { merging } = this.handlers.edited(of.kind).editing;
    return merging && (await findSurvivors(this.database, merging.kind, [id])).get(id);
  }

  /** @throws OperationError 1001 when a record is not found, 999 when they cannot be one */
  async preview(of: RecordType, { id, into }: Merge): Promise<MergePreview> {
    const merging = this.mergingOf(of, { id, into });
    const other = await this.visible(of, this.database, id);
    const survivor = await this.visible(of, this.database, into);
    const changes = merging.combine(survivor, other);
    return { survivor, other, changes, moved: await merging.count(this.database, id, into) };
  }

  /**
   * Merges the record `id` into the record `into`.
   * @returns the survivor
   * @throws OperationError 1001 when a record is not found, 999 when they cannot be one
   */
  async merge(of: RecordType, { id, into }: Merge, actor: Actor): Promise<WireRecord> {
    const merging = this.mergingOf(of, { id, into });
    const { kind } = of;
    const handler = this.handlers.edited(kind);
    const read = async (executor: SqlExecutor) => {
      const survivor = await this.records.find(of, executor, into);
      return (
        survivor && { ...survivor, merged: await listMergedInto(executor, merging.kind, into) }
      );
    };
    const change = { actor, action: `${kind}.merge`, kind, id: String(into), read };
    const store = async (executor: SqlExecutor): Promise<void> => {
      await merging.lock(executor, [id, into]);
      const other = await this.visible(of, executor, id);
      const survivor = await this.visible(of, executor, into);
      const changes = merging.combine(survivor, other);
      const merged = mergeRecord(handler.editing, survivor, changes);
      const record = handler.parse({ ...merged, id: String(into) });
      await storeRecords(executor, handler, [record]);
      await merging.move(executor, [{ id, into }]);
      await handler.editing.deletion.delete(executor, id);
      await insertMerge(executor, merging.kind, id, into);
      const effect = { id: String(id), before: other, after: { merged_into: String(into) } };
      await this.audit.logSideEffects(executor, change, [effect]);
    };
    await this.audit.logChange(change, (hooks) =>
      repeatAfterDuplicate(() => this.direct.transaction(store, recordChangeOptions(kind, hooks))),
    );
    // Other processes are notified.
    await this.ids.read();
    return this.records.getRecord(of, into);
  }

  private mergingOf(of: RecordType, { id, into }: Merge): RecordMerging {
    const { merging } = this.handlers.edited(of.kind).editing;
    if (!merging) throw new OperationError(`${of.name} cannot be merged`);
    if (id === into) throw new OperationError('a record cannot be merged into itself');
    return merging;
  }

  private async visible(of: RecordType, executor: SqlExecutor, id: number): Promise<WireRecord> {
    const found = await this.records.find(of, executor, id);
    if (!found) throw notFound(`${of.kind} not found: ${id}`);
    return found;
  }
}
