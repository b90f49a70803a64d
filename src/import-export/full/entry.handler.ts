import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { dedupeKeepLast } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { type Table } from '../engine/sequences';
import {
  isContentKind,
  rejectContentOfOthers,
  type ContentReference,
} from '../engine/conflicting-records';
import { rejectConflictingReferences } from '../users/conflicting-users';
import { unnamedUser } from '../users/user.handler';
import { rowsJson, TableRowHandler, type RowRecord } from './row.handler';
import { jsonOf } from './with-extra-columns.handler';

/** The column with the time of the decision. */
const DECIDED = 'decided_at';

/** How far the clock of the service that exported an entry may be ahead. */
const CLOCK_DIFFERENCE = '5 minutes';

// The last decision about a text applies: one in the future would overrule later decisions here. The
// service stores decisions in whole seconds.
const NOT_IN_FUTURE = `CASE WHEN r.${DECIDED} > now() THEN date_trunc('second', now())
  ELSE r.${DECIDED} END`;

/**
 * Describes a table of moderation entries. An entry has a target, `kind` and `target_id`, and is
 * pending while `decision` is null.
 */
export interface EntryShape {
  /** Name of the kind. */
  readonly name: string;
  readonly table: Table;
  /** Kinds of targets. */
  readonly about: readonly string[];
  /** Columns that identify the target with the id. A target has at most one pending entry. */
  readonly of: readonly string[];
  /** All other columns. */
  readonly columns: readonly string[];
  /** Whether `user_id` is the author of the target. */
  readonly isOfAuthor?: boolean;
}

/**
 * Imports and exports pending and decided moderation entries. Existing entries stay unchanged: an
 * import may hide texts but never publishes them, and never overrides a decision.
 */
export class EntryHandler extends TableRowHandler {
  private readonly open: Statement;
  private readonly future: Statement;
  protected readonly put: Statement;

  constructor(private readonly shape: EntryShape) {
    const { name, table, of } = shape;
    const columns = [...of, ...shape.columns];
    super({ name, member: `${table}_rows`, table, columns });
    const names = ['id', ...columns];
    const selected = `t.id::float8 AS id, ${jsonOf('t', columns)} AS row`;
    const recordset = `json_populate_recordset(NULL::${table}, $1::json) r`;
    this.open = statement(
      `import_export.open_entries_${name}`,
      `SELECT ${selected} FROM ${recordset} JOIN ${table} t ON t.decision IS NULL
         AND r.decision IS NULL AND ${of.map((one) => `t.${one} = r.${one}`).join(' AND ')}`,
    );
    this.future = statement(
      `import_export.future_entries_${name}`,
      `SELECT r.id::float8 AS id FROM ${recordset}
       WHERE r.${DECIDED} > now() + interval '${CLOCK_DIFFERENCE}' LIMIT 1`,
    );
    this.put = statement(
      `import_export.write_entries_${name}`,
      `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT ${names.map((one) => (one === DECIDED ? NOT_IN_FUTURE : `r.${one}`)).join(', ')}
       FROM ${recordset} ORDER BY r.id`,
    );
  }

  override parse(value: unknown): RowRecord {
    const reader = new RecordReader(value);
    const kind = reader.requiredText('kind');
    if (!this.shape.about.includes(kind)) {
      throw new RecordError(`kind must be one of ${this.shape.about.join(', ')}`);
    }
    reader.requiredId('target_id');
    return super.parse(value);
  }

  /**
   * @throws RecordError when the id belongs to an entry with another target, or a new entry has a
   *   decision in the future
   */
  override async resolveIds(
    executor: SqlExecutor,
    records: readonly RowRecord[],
  ): Promise<RowRecord[]> {
    const stored = await this.load(executor, records);
    await this.rejectFutureDecisions(
      executor,
      records.filter(({ id }) => !stored.has(String(id))),
    );
    const open = await executor.query<RowRecord>(this.open, [rowsJson(records)]);
    const undecided = new Map(open.map((entry) => [this.subject(entry), entry]));
    const identified = records.map((record) => {
      const existing = stored.get(String(record.id));
      if (existing && this.subject(existing) !== this.subject(record)) {
        throw new RecordError(`id ${record.id} belongs to an entry with another target`);
      }
      if (existing) return existing;
      const waiting = record.row.decision === null && undecided.get(this.subject(record));
      return waiting === false || waiting === undefined ? record : waiting;
    });
    return dedupeKeepLast(identified, ({ id }) => String(id));
  }

  /** The content that the entry is about. */
  referencedContent({ row }: RowRecord): readonly ContentReference[] {
    const kind = String(row.kind).replaceAll('_', '-');
    return isContentKind(kind) ? [{ kind, id: Number(row.target_id) }] : [];
  }

  /** @throws RecordError for the id of another user who has registered here, or of that user's content */
  override async write(executor: SqlExecutor, records: readonly RowRecord[]): Promise<void> {
    const ids = records
      .flatMap(({ row }) => [row.user_id ?? null, row.kind === 'user' ? row.target_id : null])
      .filter((id) => id !== null);
    if (this.shape.isOfAuthor === true) {
      const targets = records.flatMap((record) =>
        this.referencedContent(record).map((one) => ({
          ...one,
          owner: unnamedUser(Number(record.row.user_id)),
        })),
      );
      await rejectContentOfOthers(executor, targets);
    }
    await rejectConflictingReferences(executor, ids.map(Number).map(unnamedUser));
    await super.write(executor, records);
  }

  /** Entries with the same target share a lane. */
  lane({ row }: RowRecord): string {
    return String(row.target_id);
  }

  private async rejectFutureDecisions(
    executor: SqlExecutor,
    records: readonly RowRecord[],
  ): Promise<void> {
    const decided = records.filter(({ row }) => row[DECIDED] !== null);
    if (decided.length === 0) return;
    const found = await executor.query(this.future, [rowsJson(decided)]);
    if (found.length > 0) throw new RecordError(`${DECIDED} must not be in the future`);
  }

  private subject({ row }: RowRecord): string {
    return this.shape.of.map((name) => String(row[name])).join(' ');
  }
}
