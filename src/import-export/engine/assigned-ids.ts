import { statement, type SqlExecutor } from '../../database/database';
import { RecordError } from './record';
import { type RecordHandler } from './record-handler';

/** Records that users create, with the tables of their ids. */
const TABLES: Readonly<Record<string, string>> = {
  annotation: 'annotations',
  note: 'notes',
  'note-reply': 'note_replies',
  review: 'reviews',
};

/** Whose a record is. Another import of the same file may create it meanwhile for the same user. */
const ownerOf = (record: unknown): unknown => (record as { readonly user_id: unknown }).user_id;

const LAST_IDS = statement(
  'import_export.last_ids',
  Object.values(TABLES)
    .map((table) => `SELECT '${table}' AS name, last_value::float8 AS id FROM ${table}_id_seq`)
    .join(' UNION ALL '),
);

/** The import that a transaction belongs to. */
const imports = new WeakMap<SqlExecutor, AssignedIds>();

/** Notes that an import has advanced the sequence of a table from one id to another. */
export function noteAdvance(executor: SqlExecutor, table: string, from: number, to: number): void {
  imports.get(executor)?.advance(table, from, to);
}

/**
 * Checks records before an import writes them.
 *
 * @param stored the stored versions of records by key
 * @throws RecordError when a record of another user was created with the same id since the import
 *   began
 */
export async function refuseAssigned(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
  stored: ReadonlyMap<string, unknown>,
): Promise<void> {
  const table = TABLES[kind.name];
  const assigned = imports.get(executor);
  if (table === undefined || !assigned) return;
  const isAssigned = await assigned.of(table);
  for (const record of records) {
    const key = kind.key(record) ?? '';
    const existing = stored.get(key);
    if (existing === undefined || !isAssigned(Number(key))) continue;
    if (ownerOf(existing) === ownerOf(record)) continue;
    throw new RecordError(`the id ${key} belongs to a record that was created during the import`);
  }
}

/**
 * The ids that others may get while an import runs. A batch advances the sequence past its own ids
 * only, so that users can get ids of later batches. Their records must not be replaced. The handler
 * of users protects those who register.
 */
export class AssignedIds {
  /** By table: up to these ids, rows existed before the import, are from it, or are in `others`. */
  private known: Promise<Map<string, number>> | undefined;
  /** By table: ranges of ids that others got between two advances, exclusive and inclusive. */
  private readonly others = new Map<string, [after: number, last: number][]>();

  /** Applies to the records that a transaction of the import writes. */
  async applyTo(executor: SqlExecutor): Promise<void> {
    this.known ??= this.read(executor);
    await this.known;
    imports.set(executor, this);
  }

  advance(table: string, from: number, to: number): void {
    void this.known?.then((known) => {
      const after = known.get(table);
      if (after === undefined) return;
      if (from > after) this.others.set(table, [...(this.others.get(table) ?? []), [after, from]]);
      known.set(table, Math.max(after, to));
    });
  }

  /** Whether others may have got an id of a table since the import began. */
  async of(table: string): Promise<(id: number) => boolean> {
    const last = (await this.known)?.get(table) ?? Infinity;
    const ranges = this.others.get(table) ?? [];
    return (id) => id > last || ranges.some(([after, end]) => id > after && id <= end);
  }

  private async read(executor: SqlExecutor): Promise<Map<string, number>> {
    try {
      const rows = await executor.query<{ name: string; id: number }>(LAST_IDS);
      return new Map(rows.map(({ name, id }) => [name, id]));
    } catch (error) {
      this.known = undefined;
      throw error;
    }
  }
}
