import { statement, type SqlExecutor } from '../../database/database';
import { contains } from '../../database/filtered-list';
import { isNumericUid, isUidText } from '../../users/uid';
import { type RecordEditHooks } from '../engine/record-edit-hooks';
import { SoftDeletion } from '../engine/row-deletion';
import { BY_PLACEHOLDER, recordLists } from '../engine/record-lists';
import { StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { rowLockStatement } from '../engine/row-locks';
import { reserveIds } from '../engine/sequences';

/** A city in a file: specification section 2.11, with its time zone. */
export interface LocRecord {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly parent: string;
  readonly habitable: boolean;
  /** IANA time zone; an omitted value keeps the stored one. */
  readonly time_zone: string | undefined;
}

const DEFAULT_ZONE = 'Asia/Shanghai';

const COLUMNS = 'id::float8 AS id, uid, name, parent, habitable, time_zone';
const LOAD = statement(
  'import_export.cities',
  `SELECT ${COLUMNS} FROM cities WHERE id = ANY($1::bigint[]) AND NOT placeholder
     AND ($2::boolean OR deleted_at IS NULL)`,
);
const AFTER = statement(
  'import_export.cities_after',
  `SELECT ${COLUMNS} FROM cities WHERE id > $1 AND NOT placeholder
     AND ($3::boolean OR deleted_at IS NULL) ORDER BY id LIMIT $2`,
);
const RECORDSET = `json_to_recordset($1::json)
  AS r(id bigint, uid text, name text, parent text, habitable boolean, time_zone text)`;
const LOCK = rowLockStatement({
  name: 'lock_written_cities',
  table: 'cities',
  records: RECORDSET,
  needsStrongLock: 'r.uid <> t.uid',
  weakLock: 'NO KEY UPDATE',
});
// Updates rows whose uid stays. A new uid needs FOR UPDATE, which makes all references to the row
// wait.
const UPDATE_WITH_SAME_UID = statement(
  'import_export.change_cities',
  `UPDATE cities c SET name = r.name, parent = r.parent, habitable = r.habitable,
     time_zone = coalesce(r.time_zone, '${DEFAULT_ZONE}'), placeholder = false, deleted_at = NULL
   FROM ${RECORDSET} WHERE c.id = r.id AND c.uid = r.uid`,
);
const WRITE = statement(
  'import_export.write_cities',
  `INSERT INTO cities (id, uid, name, parent, habitable, time_zone)
   SELECT r.id, r.uid, r.name, r.parent, r.habitable, coalesce(r.time_zone, '${DEFAULT_ZONE}')
   FROM ${RECORDSET}
   WHERE NOT EXISTS (SELECT 1 FROM cities c WHERE c.id = r.id AND c.uid = r.uid) ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET uid = EXCLUDED.uid, name = EXCLUDED.name,
     parent = EXCLUDED.parent, habitable = EXCLUDED.habitable, time_zone = EXCLUDED.time_zone,
     placeholder = false, deleted_at = NULL`,
);
const NAMED = 'json_to_recordset($1::json) AS r(id bigint, name text)';
/** SQL condition: record `r` names city `t`, which is a placeholder without a name. */
const NAMES_PLACEHOLDER = 't.placeholder AND t.name = t.id::text AND r.name <> t.name';
const LOCK_REFERENCED = rowLockStatement({
  name: 'lock_referenced_cities',
  table: 'cities',
  records: NAMED,
  needsStrongLock: NAMES_PLACEHOLDER,
  weakLock: 'KEY SHARE',
});
// Nested cities never change existing ones; they only name an unnamed placeholder. Cities without
// changes are excluded beforehand, because ON CONFLICT would lock them.
const WRITE_PLACEHOLDERS = statement(
  'import_export.write_placeholder_cities',
  `INSERT INTO cities (id, uid, name, placeholder)
   SELECT r.id, r.id::text, r.name, true FROM ${NAMED}
   WHERE NOT EXISTS (SELECT 1 FROM cities t WHERE t.id = r.id AND NOT (${NAMES_PLACEHOLDER}))
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name
   WHERE cities.placeholder AND cities.name = cities.id::text AND EXCLUDED.name <> cities.name`,
);

// Offsets are rejected because PostgreSQL reads their sign the other way round.
const isZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** A city of which possibly only the id is known. */
export interface PlaceholderCity {
  readonly id: number;
  readonly name: string;
}

/** Inserts missing cities as placeholders. Existing cities stay unchanged, and are locked in order. */
export async function ensurePlaceholderCities(
  executor: SqlExecutor,
  cities: readonly PlaceholderCity[],
): Promise<void> {
  const named = new Map<number, PlaceholderCity>();
  for (const { id, name } of cities) {
    const existing = named.get(id);
    if (!existing || existing.name === String(id)) named.set(id, { id, name: name || String(id) });
  }
  if (named.size === 0) return;
  const rows = JSON.stringify([...named.values()]);
  await executor.query(LOCK_REFERENCED, [rows]);
  await reserveIds(executor, 'cities', [...named.keys()]);
  await executor.query(WRITE_PLACEHOLDERS, [rows]);
}

/** Imports and exports cities. */
export class LocHandler extends StoredHandler<LocRecord> {
  readonly name = 'loc';
  readonly member = 'locs';
  // Placeholders are excluded, so that importing the city counts as new.
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly softDeletes = true;
  protected override readonly omissible = ['time_zone'] as const;
  readonly editing: RecordEditHooks = {
    table: 'cities',
    lists: recordLists('cities', {
      title: 'name',
      states: BY_PLACEHOLDER,
      search: { sql: (part = '') => contains('h.name', part) },
    }),
    deletion: new SoftDeletion('cities'),
  };

  parse(value: unknown): LocRecord {
    const reader = new RecordReader(value);
    const id = reader.requiredId('id');
    const uid = reader.text('uid') || String(id);
    if (!isUidText(uid) || (isNumericUid(uid) && uid !== String(id))) {
      throw new RecordError(
        'uid must be letters, digits, "-", "_" or ".", not digits only or dots only',
      );
    }
    const habitable = reader.text('habitable') || 'yes';
    if (habitable !== 'yes' && habitable !== 'no') {
      throw new RecordError('habitable must be yes or no');
    }
    const zone = reader.text('time_zone');
    if (zone !== '' && !isZone(zone)) throw new RecordError('time_zone must be an IANA time zone');
    return {
      id,
      uid,
      name: reader.requiredText('name'),
      parent: reader.text('parent'),
      habitable: habitable === 'yes',
      time_zone: zone || undefined,
    };
  }

  override async resolveIds(
    executor: SqlExecutor,
    records: readonly LocRecord[],
  ): Promise<LocRecord[]> {
    const all = await super.resolveIds(executor, records);
    return all.map((record) => ({ ...record, time_zone: record.time_zone ?? DEFAULT_ZONE }));
  }

  async write(executor: SqlExecutor, records: readonly LocRecord[]): Promise<void> {
    await reserveIds(
      executor,
      'cities',
      records.map(({ id }) => id),
    );
    const rows = JSON.stringify(records);
    await executor.query(LOCK, [rows]);
    await executor.query(UPDATE_WITH_SAME_UID, [rows]);
    await executor.query(WRITE, [rows]);
  }

  toJson({ id, uid, name, parent, habitable, time_zone }: LocRecord): Record<string, unknown> {
    return {
      id: String(id),
      name,
      uid,
      parent,
      habitable: habitable ? 'yes' : 'no',
      time_zone,
    };
  }
}
