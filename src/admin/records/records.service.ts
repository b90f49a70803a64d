import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../../api/errors/errors';
import { type Page, type PageQuery } from '../../api/resources/page';
import { AuditService, type Actor } from '../../audit/audit.service';
import { Database, surroundedBy, type Runner } from '../../database/database';
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

/** What is done with a thing, as the log has it. */
interface RecordStep {
  readonly of: RecordType;
  readonly id: number;
  readonly verb: 'create' | 'update' | 'remove';
  readonly actor: Actor;
  /** What is written with it and is not read with it. */
  readonly along?: WireRecord;
}

/** What a thing is to become. */
interface RecordChange {
  readonly id: number;
  readonly given: WireRecord;
  readonly stored: WireRecord;
  /** Whether what follows from it, such as what finds it, has to be made again. */
  readonly anew: boolean;
}

/** Which things a list has. */
export interface RecordFilter {
  readonly q?: string;
  readonly state: RecordState;
}

/**
 * What the service shows, made, changed and removed in the shape that imports and exports have. What
 * is removed keeps its place, and what people wrote about it; changing it brings it back.
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

  /** All things of a list, by id. */
  scan(of: RecordType, { q, state }: RecordFilter): AsyncGenerator<RecordRow> {
    return of.list[state].scan(this.database, { q: q === '' ? undefined : q });
  }

  /**
   * A thing in full; one that was removed says since when.
   *
   * @throws NotPossible 1001 for what is not there
   */
  async show(of: RecordType, id: number): Promise<WireRecord> {
    const wire = this.known(of, id, await this.read(of, this.database, id, true));
    const removed = await this.removalOf(of, this.database, id);
    return removed === undefined ? wire : { ...wire, removed };
  }

  /**
   * Makes a thing; without an id it gets the next one.
   *
   * @throws NotPossible 999 for what is there already, or is no such thing
   */
  async create(of: RecordType, given: WireRecord, actor: Actor): Promise<WireRecord> {
    const id = parseId(given) ?? (await this.nextId(of));
    const opinions = opinionsOf(of.kind, given);
    return this.change({ of, id, verb: 'create', actor, along: opinions }, async (runner) => {
      const removed = await this.removalOf(of, runner, id);
      if (removed !== undefined) throw new OperationError(`${id} was removed: PUT brings it back`);
      if (await this.read(of, runner, id))
        throw new OperationError(`${id} is there: PUT changes it`);
      await this.write(of, runner, { id, given, stored: {}, anew: false });
    });
  }

  /**
   * Changes the members that are given, and brings back what was removed.
   *
   * @throws NotPossible 1001 for what is not there, 999 for what it cannot become
   */
  async update(of: RecordType, id: number, given: WireRecord, actor: Actor): Promise<WireRecord> {
    if ((parseId(given) ?? id) !== id) throw new OperationError(`id is ${id} by the path`);
    return this.change({ of, id, verb: 'update', actor }, async (runner) => {
      const restored = of.restore && (await runner.query(of.restore, [id])).length > 0;
      const stored = this.known(of, id, await this.read(of, runner, id));
      await this.write(of, runner, { id, given, stored, anew: restored === true });
    });
  }

  /** Shows a thing no more. @throws NotPossible 1001 for what is not there */
  async remove(of: RecordType, id: number, actor: Actor): Promise<void> {
    await this.change({ of, id, verb: 'remove', actor }, async (runner) => {
      const stored = this.known(of, id, await this.read(of, runner, id));
      for (const step of of.remove) await runner.query(step, [[id]]);
      if (of.kind === 'photo') {
        const [subject, celebrity] = [Number(stored.subject_id), Number(stored.celebrity_id)];
        await recomputeAlbumOrder(
          runner,
          subject > 0 ? [subject] : [],
          celebrity > 0 ? [celebrity] : [],
        );
      }
    });
  }

  private async change(
    { of, id, verb, actor, along = {} }: RecordStep,
    work: (runner: Runner) => Promise<void>,
  ): Promise<WireRecord> {
    const read = async (runner: Runner) => {
      const wire = await this.read(of, runner, id);
      return wire && { ...wire, ...along };
    };
    const { kind } = of;
    // Before anything is read: what an import stores meanwhile would be written over.
    const hold = {
      begin: (runner: Runner) => holdRecords(runner, kind),
      end: () => Promise.resolve(),
    };
    try {
      const change = { actor, action: `${kind}.${verb}`, kind, id: String(id), read };
      await surroundedBy(hold, () =>
        this.audit.change(change, () => this.database.transaction(work)),
      );
    } catch (error) {
      throw toRecordError(error);
    }
    return (await this.read(of, this.database, id)) ?? {};
  }

  private async write(of: RecordType, runner: Runner, change: RecordChange): Promise<void> {
    const { id, stored, anew } = change;
    const kind = this.kindOf(of);
    const own = ownMembers(kind.name, change.given);
    // Nothing else here writes what people think of a new film.
    if (stored.id === undefined) Object.assign(own, opinionsOf(kind.name, change.given));
    const people = kind.name === 'movie' ? readPeople(own) : {};
    const given = { ...own, ...people };
    const record = kind.parse({ ...mergeRecord(kind.name, stored, given), id: String(id) });
    checkAddresses(given, stored);
    await checkReferences(runner, kind.name, given, stored);
    if (isMoved(kind.name, stored, given)) await detachFromAlbum(runner, id);
    await deleteCreditsNotIn(runner, id, people);
    await storeRecords(runner, kind, [record]);
    if (anew) await kind.write(runner, await kind.resolveIds(runner, [record]));
  }

  private kindOf({ kind }: RecordType): RecordHandler {
    return this.kinds.named(kind);
  }

  /** @param removed also what was removed */
  private async read(
    of: RecordType,
    runner: Runner,
    id: number,
    removed = false,
  ): Promise<WireRecord | undefined> {
    const kind = this.kindOf(of);
    const [next] = await kind.scanAfter(runner, id - 1, 1, removed);
    if (next?.id !== id) return undefined;
    const wire = kind.toJson(next.record);
    return kind.name === 'movie' ? { ...wire, ...(await peopleOf(runner, id)) } : wire;
  }

  /** When a thing was removed, as the wire has times; undefined when it was not. */
  private async removalOf(of: RecordType, runner: Runner, id: number): Promise<string | undefined> {
    if (!of.wasRemoved) return undefined;
    const [row] = await runner.query<{ removed: string }>(of.wasRemoved, [id]);
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
