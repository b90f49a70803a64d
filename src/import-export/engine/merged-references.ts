import { type SqlExecutor } from '../../database/database';
import { findSurvivors, type MergedKind } from '../../merges/merged-records';
import { shareRecords } from './record-locks';

/** How records refer to records that may be merged. */
export interface MergedReference<R> {
  readonly kind: MergedKind;
  readonly idsOf: (this: void, record: R) => readonly (number | null | undefined)[];
  /** The record with other ids. */
  readonly replaceIds: (this: void, record: R, current: (id: number) => number) => R;
}

/** Reads the survivors of ids; nothing is merged until the transaction ends. */
async function lockedSurvivors(
  executor: SqlExecutor,
  kind: MergedKind,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlyMap<number, number>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'number'))];
  if (wanted.length === 0) return new Map();
  await shareRecords(executor, kind);
  return findSurvivors(executor, kind, wanted);
}

/** Lets records that refer to a merged record refer to the surviving one (D149). */
export async function followMerges<R>(
  executor: SqlExecutor,
  { kind, idsOf, replaceIds }: MergedReference<R>,
  records: readonly R[],
): Promise<readonly R[]> {
  const survivors = await lockedSurvivors(executor, kind, records.flatMap(idsOf));
  if (survivors.size === 0) return records;
  const isMerged = (id: number | null | undefined) => typeof id === 'number' && survivors.has(id);
  return records.map((record) =>
    idsOf(record).some(isMerged) ? replaceIds(record, (id) => survivors.get(id) ?? id) : record,
  );
}

/** The records without those that were merged into others, which imports leave alone (D149). */
export async function withoutMerged<R extends { readonly id?: number | undefined }>(
  executor: SqlExecutor,
  kind: MergedKind,
  records: readonly R[],
): Promise<readonly R[]> {
  const survivors = await lockedSurvivors(
    executor,
    kind,
    records.map(({ id }) => id),
  );
  if (survivors.size === 0) return records;
  return records.filter(({ id }) => id === undefined || !survivors.has(id));
}
