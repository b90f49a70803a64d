import { statement, type SqlExecutor } from '../../database/database';
import { MERGED_KINDS } from '../../merges/merged-records';
import { RecordError, RecordReader } from '../engine/record';
import { StoredHandler } from '../engine/stored.handler';

/** A record that was merged into another one (D149). */
export interface MergedRecordRecord {
  readonly kind: string;
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
   ON CONFLICT (kind, id) DO UPDATE SET survivor_id = EXCLUDED.survivor_id,
     merged_at = EXCLUDED.merged_at`,
);

/** Imports and exports which records were merged. Only part of full exports. */
export class MergedRecordHandler extends StoredHandler<MergedRecordRecord> {
  readonly name = 'merged-record';
  readonly member = 'merged_records';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;

  parse(value: unknown): MergedRecordRecord {
    const reader = new RecordReader(value);
    const kind = reader.requiredText('kind');
    if (!MERGED_KINDS.some((one) => one === kind))
      throw new RecordError(`kind must be one of ${MERGED_KINDS.join(', ')}`);
    return {
      kind,
      id: reader.requiredId('id'),
      survivor_id: reader.requiredId('survivor_id'),
      merged_at: reader.requiredText('merged_at'),
    };
  }

  override key({ kind, id }: MergedRecordRecord): string {
    return `${kind} ${id}`;
  }

  protected override loadValues(records: readonly MergedRecordRecord[]): readonly unknown[] {
    return [records.map(({ kind }) => kind), records.map(({ id }) => id)];
  }

  async write(executor: SqlExecutor, records: readonly MergedRecordRecord[]): Promise<void> {
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson({ kind, id, survivor_id, merged_at }: MergedRecordRecord): Record<string, unknown> {
    return { kind, id: String(id), survivor_id: String(survivor_id), merged_at };
  }
}
