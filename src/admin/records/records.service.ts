import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../../api/errors/errors';
import { type Page, type PageQuery } from '../../api/resources/page';
import { AuditService, type Actor } from '../../audit/audit.service';
import { Database, withTransactionHooks, type SqlExecutor } from '../../database/database';
import { type RecordHandler } from '../../import-export/engine/record-handler';
import { RecordHandlers } from '../../import-export/engine/handlers';
import { holdRecords } from '../../import-export/engine/record-lock';
import { storeRecords } from '../../import-export/engine/store';
import { recomputeAlbumOrder, detachFromAlbum } from '../../import-export/movies/albums';
import { peopleOf, readPeople, deleteCreditsNotIn } from '../../import-export/movies/people';
import { checkAddresses } from './record-addresses';
import { toRecordError } from './record-errors';
import {
  parseId,
  isMoved,
  opinionsOf,
  ownMembers,
  mergeRecord,
  type WireRecord,
} from './records.input';
import { type RecordType, type RecordRow, type RecordState } from './record-types';
import { checkReferences } from './record-references';

/** An audited change of a record. */
interface RecordStep {
  readonly of: RecordType;
  readonly id: number;
  readonly verb: 'create' | 'update' | 'remove';
  readonly actor: Actor;
  /** Members that are written with the record but not read with it. */
  readonly along?: WireRecord;
}

/** The new state of a record. */
interface RecordChange {
  readonly id: number;
  readonly given: WireRecord;
  readonly stored: WireRecord;
  /** Whether derived data such as search texts must be rebuilt. */
  readonly anew: boolean;
}

/** Filters of a list of records. */
export interface RecordFilter {
  readonly q?: string;
  readonly state: RecordState;
}

/**
 * Creates, updates and deletes records in the shape of imports and exports. A soft-deleted record
 * keeps its id and the reviews and comments about it; updating it restores it.
 */
@Injectable()
export class RecordsService {
  constructor(
    private readonly database: Database,
    private readonly kinds: RecordHandlers,
    private readonly audit: AuditService,
  ) {}

  list(of: RecordType, { q, state }: RecordFilter, page: PageQuery): Promise<Page<RecordRow>> {
    return of.list[state].page(this.database, { q: q === '' ? undefined : q }, page);
  }

  /** All matching records, ordered by id. */
  scan(of: RecordType, { q, state }: RecordFilter): AsyncGenerator<RecordRow> {
    return of.list[state].scan(this.database, { q: q === '' ? undefined : q });
  }

  /**
   * A complete record; a soft-deleted one has its deletion time.
   * @throws OperationError 1001 when not found
   */
  async show(of: RecordType, id: number): Promise<WireRecord> {
    const wire = this.known(of, id, await this.read(of, this.database, id, true));
    const removed = await this.removalOf(of, this.database, id);
    return removed === undefined ? wire : { ...wire, removed };
  }

  /**
   * Creates a record; without an id it gets the next one.
   * @throws OperationError 999 when it exists or is invalid
   */
  async create(of: RecordType, given: WireRecord, actor: Actor): Promise<WireRecord> {
    const id = parseId(given) ?? (await this.nextId(of));
    const opinions = opinionsOf(of.kind, given);
    return this.change({ of, id, verb: 'create', actor, along: opinions }, async (executor) => {
      const removed = await this.removalOf(of, executor, id);
      if (removed !== undefined) throw new OperationError(`${id} was deleted: PUT restores it`);
      if (await this.read(of, executor, id))
        throw new OperationError(`${id} exists: PUT updates it`);
      await this.write(of, executor, { id, given, stored: {}, anew: false });
    });
  }

  /**
   * Updates the given members and restores a soft-deleted record.
   * @throws OperationError 1001 when not found, 999 when invalid
   */
  async update(of: RecordType, id: number, given: WireRecord, actor: Actor): Promise<WireRecord> {
    if ((parseId(given) ?? id) !== id) throw new OperationError(`id must be ${id} as in the path`);
    return this.change({ of, id, verb: 'update', actor }, async (executor) => {
      const restored = of.restore && (await executor.query(of.restore, [id])).length > 0;
      const stored = this.known(of, id, await this.read(of, executor, id));
      await this.write(of, executor, { id, given, stored, anew: restored === true });
    });
  }

  /** Soft-deletes a record. @throws OperationError 1001 when not found */
  async remove(of: RecordType, id: number, actor: Actor): Promise<void> {
    await this.change({ of, id, verb: 'remove', actor }, async (executor) => {
      const stored = this.known(of, id, await this.read(of, executor, id));
      for (const step of of.remove) await executor.query(step, [[id]]);
      if (of.kind === 'photo') {
        const [subject, celebrity] = [Number(stored.subject_id), Number(stored.celebrity_id)];
        await recomputeAlbumOrder(
          executor,
          subject > 0 ? [subject] : [],
          celebrity > 0 ? [celebrity] : [],
        );
      }
    });
  }

  private async change(
    { of, id, verb, actor, along = {} }: RecordStep,
    work: (executor: SqlExecutor) => Promise<void>,
  ): Promise<WireRecord> {
    const read = async (executor: SqlExecutor) => {
      const wire = await this.read(of, executor, id);
      return wire && { ...wire, ...along };
    };
    const { kind } = of;
    // Lock before reading, because the write would overwrite a concurrent import.
    const hold = {
      begin: (executor: SqlExecutor) => holdRecords(executor, kind),
      end: () => Promise.resolve(),
    };
    try {
      const change = { actor, action: `${kind}.${verb}`, kind, id: String(id), read };
      await withTransactionHooks(hold, () =>
        this.audit.change(change, () => this.database.transaction(work)),
      );
    } catch (error) {
      throw toRecordError(error);
    }
    return (await this.read(of, this.database, id)) ?? {};
  }

  private async write(of: RecordType, executor: SqlExecutor, change: RecordChange): Promise<void> {
    const { id, stored, anew } = change;
    const kind = this.kindOf(of);
    const own = ownMembers(kind.name, change.given);
    // No other route writes the reviews and comments of a new movie.
    if (stored.id === undefined) Object.assign(own, opinionsOf(kind.name, change.given));
    const people = kind.name === 'movie' ? readPeople(own) : {};
    const given = { ...own, ...people };
    const record = kind.parse({ ...mergeRecord(kind.name, stored, given), id: String(id) });
    checkAddresses(given, stored);
    await checkReferences(executor, kind.name, given, stored);
    if (isMoved(kind.name, stored, given)) await detachFromAlbum(executor, id);
    await deleteCreditsNotIn(executor, id, people);
    await storeRecords(executor, kind, [record]);
    if (anew) await kind.write(executor, await kind.resolveIds(executor, [record]));
  }

  private kindOf({ kind }: RecordType): RecordHandler {
    return this.kinds.named(kind);
  }

  /** @param removed whether to include soft-deleted records */
  private async read(
    of: RecordType,
    executor: SqlExecutor,
    id: number,
    removed = false,
  ): Promise<WireRecord | undefined> {
    const kind = this.kindOf(of);
    const [next] = await kind.scanAfter(executor, id - 1, 1, removed);
    if (next?.id !== id) return undefined;
    const wire = kind.toJson(next.record);
    return kind.name === 'movie' ? { ...wire, ...(await peopleOf(executor, id)) } : wire;
  }

  /** The deletion time in the format of the API; undefined when not deleted. */
  private async removalOf(
    of: RecordType,
    executor: SqlExecutor,
    id: number,
  ): Promise<string | undefined> {
    if (!of.wasRemoved) return undefined;
    const [row] = await executor.query<{ removed: string }>(of.wasRemoved, [id]);
    return row?.removed;
  }

  private known(of: RecordType, id: number, wire: WireRecord | undefined): WireRecord {
    if (!wire) throw notFound(`no such ${of.kind}: ${id}`);
    return wire;
  }

  private async nextId(of: RecordType): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(of.nextId);
    return row?.id ?? 0;
  }
}
