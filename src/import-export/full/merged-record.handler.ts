import { statement, type SqlExecutor } from '../../database/database';
import { findSurvivors, MERGED_KINDS, type MergedKind } from '../../merges/merged-records';
import { RecordError, RecordReader } from '../engine/record';
import { holdRecords } from '../engine/record-locks';
import { StoredHandler } from '../engine/stored.handler';
import { applyMerges } from './imported-merges';
import { requiredTime } from './required-time';

/** A record that was merged into another one (D149). */
export interface MergedRecordRecord {
  readonly kind: MergedKind;
  readonly id: number;
  readonly survivor_id: number;
  readonly merged_at: string;
}

const COLUMNS = `t.kind, t.id::float8 AS id, t.survivor_id::float8 AS survivor_id,
  to_json(t.merged_at)#>>'{}' AS merged_at`;
const LOAD = statement(
  'import_export.merged_records',
  `SELECT ${COLUMNS} FROM merged_records t
   JOIN unnest($1::text[], $2::bigint[]) AS r(kind, id) ON r.kind = t.kind AND r.id = t.id`,
);
// Reads the books and films of an id at once.
const AFTER = statement(
  'import_export.merged_records_after',
  `SELECT ${COLUMNS} FROM merged_records t
   WHERE t.id IN (SELECT DISTINCT id FROM merged_records WHERE id > $1 ORDER BY id LIMIT $2)
   ORDER BY t.id, t.kind`,
);
const WRITE = statement(
  'import_export.write_merged_records',
  `INSERT INTO merged_records (kind, id, survivor_id, merged_at)
   SELECT r.kind, r.id, r.survivor_id, r.merged_at
   FROM json_to_recordset($1::json) AS r(kind text, id bigint, survivor_id bigint, merged_at timestamptz)
   ORDER BY r.kind, r.id
   ON CONFLICT (kind, id) DO UPDATE SET merged_at = EXCLUDED.merged_at`,
);
// One transaction at a time stores merges, so that chains have one survivor.
const LOCK = statement(
  'import_export.lock_merged_records',
  'LOCK TABLE merged_records IN SHARE ROW EXCLUSIVE MODE',
);
// Earlier merges into a record that is now merged get its survivor.
const FOLLOW = statement(
  'import_export.follow_merged_records',
  `UPDATE merged_records m SET survivor_id = s.survivor_id FROM merged_records s
   WHERE s.kind = m.kind AND s.id = m.survivor_id AND s.survivor_id <> m.id RETURNING 1`,
);
const MISSING = statement(
  'import_export.missing_survivors',
  `SELECT r.survivor_id::float8 AS id FROM json_to_recordset($1::json) AS r(kind text, survivor_id bigint)
   WHERE NOT EXISTS (SELECT FROM books b WHERE r.kind = 'book' AND b.id = r.survivor_id)
     AND NOT EXISTS (SELECT FROM subjects s WHERE r.kind = 'movie' AND s.id = r.survivor_id)
   LIMIT 1`,
);

/**
 * Imports and exports which records were merged. Only part of full exports. Existing merges keep
 * their survivors, because a merge cannot be undone and an older file may lack it. Rows that refer
 * to a record whose merge is new here move to the survivor in the same transaction.
 */
export class MergedRecordHandler extends StoredHandler<MergedRecordRecord> {
  readonly name = 'merged-record';
  readonly member = 'merged_records';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;

  parse(value: unknown): MergedRecordRecord {
    const reader = new RecordReader(value);
    const name = reader.requiredText('kind');
    const kind = MERGED_KINDS.find((one) => one === name);
    if (!kind) throw new RecordError(`kind must be one of ${MERGED_KINDS.join(', ')}`);
    return {
      kind,
      id: reader.requiredId('id'),
      survivor_id: reader.requiredId('survivor_id'),
      merged_at: requiredTime(reader, 'merged_at'),
    };
  }

  override key({ kind, id }: MergedRecordRecord): string {
    return `${kind} ${id}`;
  }

  protected override loadValues(records: readonly MergedRecordRecord[]): readonly unknown[] {
    return [records.map(({ kind }) => kind), records.map(({ id }) => id)];
  }

  override async resolveIds(
    executor: SqlExecutor,
    records: readonly MergedRecordRecord[],
  ): Promise<MergedRecordRecord[]> {
    return followMerges(executor, await super.resolveIds(executor, records));
  }

  /**
   * @throws RecordError for a survivor that does not exist, or was merged into the record, and for
   *   records that cannot be one
   */
  async write(executor: SqlExecutor, records: readonly MergedRecordRecord[]): Promise<void> {
    const kinds = MERGED_KINDS.filter((kind) => records.some((one) => one.kind === kind));
    // Before the table, as merges by administrators do. Imports that refer to the records wait.
    for (const kind of kinds) await holdRecords(executor, kind);
    await executor.query(LOCK);
    // Other records of the file may have been written since they were resolved.
    const followed = await followMerges(executor, records);
    const own = followed.find(({ id, survivor_id }) => id === survivor_id);
    if (own) throw new RecordError(`the survivor of ${own.kind} ${own.id} was merged into it`);
    const rows = JSON.stringify(followed);
    const [missing] = await executor.query<{ id: number }>(MISSING, [rows]);
    if (missing) throw new RecordError(`survivor_id ${missing.id} does not exist`);
    const stored = await this.load(executor, followed);
    await executor.query(WRITE, [rows]);
    // Chains in the file itself are followed step by step.
    for (let step = 0; step < records.length; step += 1)
      if ((await executor.query(FOLLOW)).length === 0) break;
    const added = followed.filter((record) => !stored.has(this.key(record)));
    for (const kind of kinds) {
      const ids = added.filter((record) => record.kind === kind).map(({ id }) => id);
      const survivors = await findSurvivors(executor, kind, ids);
      const merges = [...survivors].map(([id, into]) => ({ id, into }));
      await applyMerges(executor, kind, merges);
    }
  }

  toJson({ kind, id, survivor_id, merged_at }: MergedRecordRecord): Record<string, unknown> {
    return { kind, id: String(id), survivor_id: String(survivor_id), merged_at };
  }
}

/** Replaces survivors that were merged by their survivors, as stored or by earlier records. */
async function followMerges(
  executor: SqlExecutor,
  records: readonly MergedRecordRecord[],
): Promise<MergedRecordRecord[]> {
  const followed: MergedRecordRecord[] = [];
  for (const kind of MERGED_KINDS) {
    const ofKind = records.filter((one) => one.kind === kind);
    const ids = ofKind.flatMap(({ id, survivor_id }) => [id, survivor_id]);
    const survivors = new Map(await findSurvivors(executor, kind, ids));
    for (const record of ofKind) {
      const { id, survivor_id } = record;
      let survivor = survivors.get(id) ?? survivor_id;
      // Bounded, because earlier versions could store cycles.
      for (let step = 0; step < survivors.size && survivor !== id; step += 1)
        survivor = survivors.get(survivor) ?? survivor;
      if (survivor !== id) survivors.set(id, survivor);
      followed.push({ ...record, survivor_id: survivor });
    }
  }
  return followed;
}
