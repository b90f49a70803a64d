import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { type MergedKind } from '../../merges/merged-records';

/** A record in the shape of imports and exports. */
type Wire = Record<string, unknown>;

/** Numbers of rows about a record that another record gets, by their name. */
export type MovedCounts = Readonly<Record<string, number>>;

/** A record and the record that it is merged into, the survivor. */
export interface Merge {
  readonly id: number;
  readonly into: number;
}

/** A merge whose record still has something to move or to delete. */
export interface UnfinishedMerge extends Merge {
  /** Whether the merged record is soft-deleted. */
  readonly deleted: boolean;
}

/** SQL of the merges whose ids and survivors are the parameters `$1` and `$2`. */
export const MERGES = 'unnest($1::bigint[], $2::bigint[]) AS m(id, survivor_id)';

/** The parameters of {@link MERGES}. */
export const mergeValues = (merges: readonly Merge[]): [ids: number[], survivors: number[]] => [
  merges.map(({ id }) => id),
  merges.map(({ into }) => into),
];

/** The tables with rows about records of a kind. */
interface RelatedTables {
  /** The table of the records. */
  readonly records: 'books' | 'subjects';
  /** The column with the id of the record. */
  readonly column: 'book_id' | 'subject_id';
  readonly tables: readonly string[];
}

/** Moves the rows of a table from merged records to their survivors. */
export const moveStatement = (table: string, column: RelatedTables['column']): Statement =>
  statement(
    `merges.move_${table}`,
    `UPDATE ${table} t SET ${column} = m.survivor_id FROM ${MERGES} WHERE t.${column} = m.id`,
  );

/** Lists the merges whose record is not soft-deleted, or has rows in one of the tables. */
export const unfinishedStatement = ({ records, column, tables }: RelatedTables): Statement =>
  statement(
    `merges.unfinished_merges_of_${records}`,
    `SELECT m.id::float8 AS id, m.survivor_id::float8 AS into, r.deleted_at IS NOT NULL AS deleted
     FROM ${MERGES} JOIN ${records} r ON r.id = m.id
     WHERE r.deleted_at IS NULL
       ${tables.map((table) => `OR EXISTS (SELECT FROM ${table} t WHERE t.${column} = m.id)`).join(' ')}
     ORDER BY m.id`,
  );

/** How two records of a kind become one (D149). */
export interface RecordMerging {
  readonly kind: MergedKind;

  /**
   * The members of the surviving record that change.
   * @throws OperationError when the records cannot be one
   */
  combine(survivor: Wire, other: Wire): Wire;

  /** Locks rows until the end of the transaction, also against new rows that refer to them. */
  lock(executor: SqlExecutor, ids: readonly number[]): Promise<void>;

  /** What {@link move} would move from a record to its survivor. */
  count(executor: SqlExecutor, from: number, to: number): Promise<MovedCounts>;

  /** Finds a merge of stored records that cannot be one. Its parameters are {@link mergeValues}. */
  readonly conflict: Statement;
  /** Why they cannot. */
  readonly conflictReason: string;

  /** Lists the merges that {@link move} has not completed, see {@link unfinishedStatement}. */
  readonly unfinished: Statement;

  /**
   * Moves the rows about locked records to their locked survivors, and recomputes the counters. The
   * number of statements does not depend on the number of merges.
   * @param merges with a different survivor each; no survivor is merged itself
   */
  move(executor: SqlExecutor, merges: readonly Merge[]): Promise<void>;
}

/**
 * Merges in the order in which they can be moved together: each round has at most one merge into a
 * survivor, because the merges of a round do not see the rows that each other moves.
 */
export function roundsOf<M extends Merge>(merges: readonly M[]): M[][] {
  const rounds: M[][] = [];
  const counts = new Map<number, number>();
  for (const merge of merges) {
    const round = counts.get(merge.into) ?? 0;
    counts.set(merge.into, round + 1);
    (rounds[round] ??= []).push(merge);
  }
  return rounds;
}

/** Whether a member has a value: no blank text, 0, false, empty list, or object of such values. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' ? Object.values(value).some(isFilled) : Boolean(value);
}

/** The members that the survivor lacks and the other record has. @param names of the members */
export const missingMembers = (survivor: Wire, other: Wire, names: readonly string[]): Wire =>
  Object.fromEntries(
    names
      .filter((name) => !isFilled(survivor[name]) && isFilled(other[name]))
      .map((name) => [name, other[name]]),
  );

/** Names of the members with a rule. @param rules the rule of every member, so that none is forgotten */
export const membersWith = <Rule extends string>(
  rules: Readonly<Record<string, Rule>>,
  rule: Rule,
): string[] => Object.keys(rules).filter((name) => rules[name] === rule);

/** The elements of both lists, each once. */
export const union = (one: unknown, other: unknown): unknown[] => [
  ...new Set([...(one as unknown[]), ...(other as unknown[])]),
];

const MAX_COUNT = 2 ** 31 - 1;

/** The sum of two counts, at most the maximum of the column. */
export const sumOf = (one: unknown, other: unknown): number =>
  Math.min(Number(one ?? 0) + Number(other ?? 0), MAX_COUNT);

/** An average of ratings with their number. */
export interface RatedAverage {
  readonly average: unknown;
  readonly count: unknown;
}

/** The average of all ratings of two averages, with one decimal. An average of 0 is unknown (D20). */
export function averageOf(one: RatedAverage, other: RatedAverage): string {
  const known = [one, other].filter(({ average }) => Number(average) > 0);
  const count = known.reduce((all, part) => all + Number(part.count), 0);
  if (count === 0) return Number(known[0]?.average ?? 0).toFixed(1);
  const sum = known.reduce((all, part) => all + Number(part.average) * Number(part.count), 0);
  return (sum / count).toFixed(1);
}
