import { type SqlExecutor } from '../../database/database';
import { type MergedKind } from '../../merges/merged-records';

/** A record in the shape of imports and exports. */
type Wire = Record<string, unknown>;

/** Numbers of rows about a record that another record gets, by their name. */
export type MovedCounts = Readonly<Record<string, number>>;

/** How two records of a kind become one (D149). */
export interface RecordMerging {
  readonly kind: MergedKind;

  /**
   * The members of the surviving record that change.
   * @throws OperationError when the records cannot be one
   */
  combine(survivor: Wire, other: Wire): Wire;

  /** Locks both rows until the end of the transaction, also against new rows that refer to them. */
  lock(executor: SqlExecutor, ids: readonly number[]): Promise<void>;

  /** What {@link move} would move from a record to its survivor. */
  count(executor: SqlExecutor, from: number, to: number): Promise<MovedCounts>;

  /** Moves the rows about a locked record to its locked survivor, and recomputes the counters. */
  move(executor: SqlExecutor, from: number, to: number): Promise<void>;
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

/** The average of all ratings of two averages, with one decimal. */
export function averageOf(one: RatedAverage, other: RatedAverage): string {
  const count = Number(one.count) + Number(other.count);
  if (count === 0) return Number(one.average || other.average || 0).toFixed(1);
  const sum = [one, other].reduce(
    (all, part) => all + Number(part.average) * Number(part.count),
    0,
  );
  return (sum / count).toFixed(1);
}
