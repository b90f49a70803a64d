import { ApiError, OperationError } from '../api/errors/error-codes';
import { isPresent } from '../import-export/engine/record';

/** A stored entry of a chart. */
export interface Entry {
  readonly rank: number;
  readonly subject_id: number;
  readonly delta: number;
}

type EntryInput = Readonly<Record<string, unknown>>;

const objects = (entries: unknown): EntryInput[] =>
  (Array.isArray(entries) ? entries : []).filter(
    (one): one is EntryInput => typeof one === 'object' && one !== null,
  );

/** A number of an entry that is not validated yet; NaN for other values, such as objects. */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;

/** @throws ApiError 1002 without entries, 999 for a rank below 1 */
export function checkEntries(entries: unknown): void {
  if (!isPresent(entries)) throw new ApiError('missingArgs', { detail: 'entries is missing' });
  for (const { rank } of objects(entries)) {
    if (isPresent(rank) && !(numberOf(rank) >= 1))
      throw new OperationError('rank must be 1 or more');
  }
}

/** @throws OperationError 999 for a subject with two ranks */
export function checkPlaces(entries: readonly Entry[]): void {
  const seen = new Set<number>();
  for (const { subject_id: id } of entries) {
    if (seen.has(id)) throw new OperationError(`subject ${id} occurs more than once`);
    seen.add(id);
  }
}

/** The subjects whose entries specify a delta. */
function subjectsWithDelta(input: unknown): Set<number> {
  const movers = objects(input).filter(({ delta }) => isPresent(delta));
  return new Set(
    movers.map(({ subject_id, subject }) =>
      numberOf(subject_id ?? (subject as EntryInput | undefined)?.id),
    ),
  );
}

/**
 * Computes missing deltas of a weekly chart from the previous one. A new subject counts as having
 * been one rank past the end (D35).
 * @param input the entries of the request
 * @param before the ranks in the previous chart by id of the subject
 */
export function withDeltas<E extends Entry>(
  entries: readonly E[],
  input: unknown,
  before: ReadonlyMap<number, number>,
): readonly E[] {
  const movers = subjectsWithDelta(input);
  const end = Math.max(0, ...entries.map(({ rank }) => rank)) + 1;
  return entries.map((entry) =>
    movers.has(entry.subject_id)
      ? entry
      : { ...entry, delta: (before.get(entry.subject_id) ?? end) - entry.rank },
  );
}
