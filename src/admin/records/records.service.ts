import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../../api/errors/error-codes';
import { type Page, type PageQuery } from '../../api/resources/page';
import { AuditService, type Actor } from '../../audit/audit.service';
import { Database, type SqlExecutor } from '../../database/database';
import { DirectDatabase } from '../../database/direct-database';
import { type RecordEdit, type WireRecord } from '../../import-export/engine/record-edit-hooks';
import { HardDeletion } from '../../import-export/engine/row-deletion';
import { RecordHandlers, type EditedHandler } from '../../import-export/engine/handlers';
import {
  type RecordLists,
  type RecordRow,
  type RecordState,
} from '../../import-export/engine/record-lists';
import { storeRecords } from '../../import-export/engine/store';
import { IdTaken, withNewId } from '../new-ids';
import { recordChangeOptions } from './record-change-options';
import { toRecordError } from './record-errors';
import { RECORD_TYPES, type RecordType } from './record-types';
import {
  checkNotMerged,
  checkReferences,
  checkUnchanged,
  checkUrls,
  checkYear,
  mergeRecord,
  ownMembers,
  parseId,
} from './records.input';

/** An audited change of a record. */
interface RecordStep {
  readonly of: RecordType;
  readonly id: number;
  readonly verb: 'create' | 'update' | 'remove';
  readonly actor: Actor;
  /** Members that are written with the record but not read with it. */
  readonly nested?: WireRecord | undefined;
}

/** Filters of a list of records. */
export interface RecordFilter {
  readonly q?: string;
  readonly state: RecordState;
}

/** A record before a change and after it. */
export interface RecordPreview {
  readonly before: WireRecord;
  readonly after: WireRecord;
}

/** Rolls back the transaction of a preview. */
class PreviewEnd extends Error {
  constructor(readonly preview: RecordPreview) {
    super('the preview ends');
  }
}

/**
 * Creates, updates and deletes records in the shape of imports and exports. A soft-deleted record
 * keeps its id and the reviews and comments about it; updating it restores it. The handler of a
 * kind knows what its records need beyond that.
 */
@Injectable()
export class RecordsService {
  private readonly handlers: ReadonlyMap<RecordType, EditedHandler>;

  constructor(
    private readonly database: Database,
    private readonly direct: DirectDatabase,
    handlers: RecordHandlers,
    private readonly audit: AuditService,
  ) {
    this.handlers = new Map(RECORD_TYPES.map((type) => [type, handlers.edited(type.kind)]));
  }

  list(of: RecordType, { q, state }: RecordFilter, page: PageQuery): Promise<Page<RecordRow>> {
    return this.listOf(of, state).page(this.database, { q: q === '' ? undefined : q }, page);
  }

  /** All matching records, ordered by id. */
  scan(of: RecordType, { q, state }: RecordFilter): AsyncGenerator<RecordRow> {
    return this.listOf(of, state).scan(this.database, { q: q === '' ? undefined : q });
  }

  /**
   * A complete record; a soft-deleted one has its deletion time.
   * @throws OperationError 1001 when not found
   */
  async getRecord(of: RecordType, id: number): Promise<WireRecord> {
    const wire = this.orNotFound(of, id, await this.read(of, this.database, id, true));
    const deleted = await this.handlerOf(of).editing.deletion.deletedAt(this.database, id);
    return deleted === undefined ? wire : { ...wire, deleted };
  }

  /** A record that is not soft-deleted, in a transaction. */
  find(of: RecordType, executor: SqlExecutor, id: number): Promise<WireRecord | undefined> {
    return this.read(of, executor, id);
  }

  /**
   * Creates a record; without an id it gets the next one.
   * @throws OperationError 999 when it exists or is invalid
   */
  async create(of: RecordType, input: WireRecord, actor: Actor): Promise<WireRecord> {
    const { editing } = this.handlerOf(of);
    const nested = editing.nestedOnCreate?.(input);
    return withNewId(this.database, editing.table, parseId(input), (id) =>
      this.change({ of, id, verb: 'create', actor, nested }, (executor) =>
        this.insert(of, executor, id, input),
      ),
    );
  }

  /**
   * Updates the given members and restores a soft-deleted record.
   * @param expected members that must still have these stored values; if it has members, a
   *   soft-deleted record is an error
   * @throws OperationError 1001 when not found, 999 when invalid
   */
  async update(
    of: RecordType,
    id: number,
    input: WireRecord,
    actor: Actor,
    expected: WireRecord = {},
  ): Promise<WireRecord> {
    if ((parseId(input) ?? id) !== id)
      throw new OperationError(`id must equal the id in the path: ${id}`);
    return this.change({ of, id, verb: 'update', actor }, (executor) =>
      this.modify(of, executor, { id, input, expected }),
    );
  }

  /**
   * What `create` (without an id) or `update` would store, by the same rules: the change is made in
   * a transaction, and rolled back.
   * @throws OperationError as they do
   */
  async preview(of: RecordType, id: number | undefined, input: WireRecord): Promise<RecordPreview> {
    if (id !== undefined) return this.previewWithId(of, id, input, false);
    const { table } = this.handlerOf(of).editing;
    return withNewId(this.database, table, undefined, (next) =>
      this.previewWithId(of, next, input, true),
    );
  }

  private async previewWithId(
    of: RecordType,
    id: number,
    input: WireRecord,
    isNew: boolean,
  ): Promise<RecordPreview> {
    try {
      await this.direct.transaction(async (executor) => {
        const before = (await this.read(of, executor, id)) ?? {};
        if (isNew) await this.insert(of, executor, id, input);
        else await this.modify(of, executor, { id, input, expected: {} });
        throw new PreviewEnd({ before, after: (await this.read(of, executor, id)) ?? {} });
      }, recordChangeOptions(of.kind));
    } catch (error) {
      if (error instanceof PreviewEnd) return error.preview;
      throw toRecordError(error);
    }
    throw new Error('the transaction of a preview must roll back');
  }

  /** Whether records of a type are deleted permanently. */
  isHardDeleted(of: RecordType): boolean {
    return this.handlerOf(of).editing.deletion instanceof HardDeletion;
  }

  /** Deletes a record, softly if its kind allows. @throws OperationError 1001 when not found */
  async deleteRecord(of: RecordType, id: number, actor: Actor): Promise<void> {
    const { editing } = this.handlerOf(of);
    await this.change({ of, id, verb: 'remove', actor }, async (executor) => {
      const stored = this.orNotFound(of, id, await this.read(of, executor, id));
      await editing.deletion.delete(executor, id);
      await editing.afterDelete?.(executor, stored);
    });
  }

  /** Stores a new record. */
  private async insert(
    of: RecordType,
    executor: SqlExecutor,
    id: number,
    input: WireRecord,
  ): Promise<void> {
    const { editing } = this.handlerOf(of);
    await checkNotMerged(executor, editing, id);
    const deleted = await editing.deletion.deletedAt(executor, id);
    if (deleted !== undefined)
      throw new OperationError(`record ${id} is deleted; restore it with PUT`);
    if (await this.read(of, executor, id)) throw new IdTaken(id);
    await this.write(of, executor, { id, input, stored: {} });
  }

  /** Stores the given members of an existing record. */
  private async modify(
    of: RecordType,
    executor: SqlExecutor,
    { id, input, expected }: Omit<RecordEdit, 'stored'> & { readonly expected: WireRecord },
  ): Promise<void> {
    const handler = this.handlerOf(of);
    await checkNotMerged(executor, handler.editing, id);
    const restored = await handler.editing.deletion.restore(executor, id);
    const stored = this.orNotFound(of, id, await this.read(of, executor, id));
    if (restored && Object.keys(expected).length > 0)
      throw new OperationError('the record was deleted meanwhile');
    checkUnchanged(expected, stored);
    const record = await this.write(of, executor, { id, input, stored });
    // Search texts and other derived rows of a deleted record are gone: write them again.
    if (restored) await handler.write(executor, await handler.resolveIds(executor, [record]));
  }

  private async change(
    { of, id, verb, actor, nested }: RecordStep,
    work: (executor: SqlExecutor) => Promise<void>,
  ): Promise<WireRecord> {
    const read = async (executor: SqlExecutor) => {
      const wire = await this.read(of, executor, id);
      return wire && { ...wire, ...nested };
    };
    const { kind } = of;
    try {
      const change = { actor, action: `${kind}.${verb}`, kind, id: String(id), read };
      return await this.audit.logChange(change, (hooks) =>
        this.direct.transaction(
          async (executor) => {
            await work(executor);
            // A merge or a deletion right after the commit can delete the record.
            return (await this.read(of, executor, id)) ?? {};
          },
          recordChangeOptions(kind, hooks),
        ),
      );
    } catch (error) {
      throw toRecordError(error);
    }
  }

  /** Checks and stores a record. @returns the parsed record */
  private async write(
    of: RecordType,
    executor: SqlExecutor,
    { id, input, stored }: RecordEdit,
  ): Promise<unknown> {
    const handler = this.handlerOf(of);
    const { editing } = handler;
    const own = ownMembers(editing, input);
    const nested = stored.id === undefined ? editing.nestedOnCreate?.(input) : {};
    const members = { ...own, ...nested, ...editing.parseMembers?.(own) };
    const record = handler.parse({ ...mergeRecord(editing, stored, members), id: String(id) });
    checkUrls(members, stored);
    checkYear(members, stored);
    await checkReferences(executor, editing, members, stored);
    await editing.beforeWrite?.(executor, { id, input: members, stored });
    await storeRecords(executor, handler, [record]);
    return record;
  }

  private listOf(of: RecordType, state: RecordState): RecordLists[RecordState] {
    return this.handlerOf(of).editing.lists[state];
  }

  private handlerOf(of: RecordType): EditedHandler {
    return this.handlers.get(of) as EditedHandler;
  }

  /** @param withDeleted whether to include soft-deleted records */
  private async read(
    of: RecordType,
    executor: SqlExecutor,
    id: number,
    withDeleted = false,
  ): Promise<WireRecord | undefined> {
    const handler = this.handlerOf(of);
    const [next] = await handler.scanAfter(executor, id - 1, 1, withDeleted);
    if (next?.id !== id) return undefined;
    return { ...handler.toJson(next.record), ...(await handler.editing.readMore?.(executor, id)) };
  }

  private orNotFound(of: RecordType, id: number, wire: WireRecord | undefined): WireRecord {
    if (!wire) throw notFound(`${of.kind} not found: ${id}`);
    return wire;
  }
}
