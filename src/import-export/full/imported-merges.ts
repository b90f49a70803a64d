import { type SqlExecutor } from '../../database/database';
import { type MergedKind } from '../../merges/merged-records';
import { RecordHandlers } from '../engine/handlers';
import { mergeValues, roundsOf, type Merge, type UnfinishedMerge } from '../engine/merging';
import { RecordError } from '../engine/record';

const HANDLERS = new RecordHandlers();

/**
 * Applies imported merges like those of administrators (D149): moves all rows about the records to
 * the survivors, and soft-deletes the records. The members of survivors stay, because the file
 * already contains the combined ones.
 * @param merges into records that are not merged themselves; the caller has called `holdRecords`
 * @throws RecordError when records cannot be one
 */
export async function applyMerges(
  executor: SqlExecutor,
  kind: MergedKind,
  merges: readonly Merge[],
): Promise<void> {
  const { merging, deletion } = HANDLERS.edited(kind).editing;
  if (!merging || merges.length === 0) return;
  // All at once and by id, so that two imports cannot deadlock.
  const values = mergeValues(merges);
  await merging.lock(executor, values.flat());
  const conflicts = await executor.query(merging.conflict, values);
  if (conflicts.length > 0) throw new RecordError(merging.conflictReason);
  const unfinished = await executor.query<UnfinishedMerge>(merging.unfinished, values);
  for (const round of roundsOf(unfinished)) await merging.move(executor, round);
  // The others have the deletion time of the file.
  for (const { id, deleted } of unfinished) if (!deleted) await deletion.delete(executor, id);
}
