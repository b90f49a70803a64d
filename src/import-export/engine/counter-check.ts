import { type Database, type SqlExecutor, type Statement } from '../../database/database';

/** How counters are compared with the rows that they count. */
interface CounterCheck<Drift> {
  /** Reads the differences of all records. */
  readonly drift: Statement;
  /** The id of the record with a wrong counter. */
  readonly idOf: (drift: Drift) => number;
  readonly recount: (executor: SqlExecutor, ids: readonly number[]) => Promise<void>;
}

/** Records to repair per transaction. */
const REPAIRED_AT_ONCE = 100;

/**
 * Compares counters in one snapshot, and repairs differences on request.
 * @returns the differences
 */
export async function checkCounters<Drift>(
  database: Database,
  { drift, idOf, recount }: CounterCheck<Drift>,
  { repair }: { readonly repair: boolean },
): Promise<Drift[]> {
  const found = await database.query<Drift>(drift);
  if (!repair) return found;
  const ids = [...new Set(found.map(idOf))];
  for (let at = 0; at < ids.length; at += REPAIRED_AT_ONCE) {
    const batch = ids.slice(at, at + REPAIRED_AT_ONCE);
    await database.transaction((executor) => recount(executor, batch));
  }
  return found;
}
