import { malformed } from '../errors/error-codes';

/** Pagination: the requested page of a list (D2, D3). */
export interface PageQuery {
  readonly start: number;
  readonly count: number;
}

/** One page of rows, before serialization. */
export interface Page<T> {
  readonly start: number;
  /** Exact number of matches. */
  readonly total: number;
  readonly items: readonly T[];
  /** Whether the page would have more elements if their texts were shorter. */
  readonly isCut?: boolean;
  /** Further members of the envelope, such as `user` (rows, not JSON). */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Maximum `count` in every area; a larger value is reduced to it (D3). */
export const MAX_COUNT = 100;

/** Default of `count` where the specification has none (D3). */
export const DEFAULT_COUNT = 20;

/**
 * Parses `start` or `count` of the query, up to `most`. Absent or empty means the default.
 *
 * @throws ApiError 999 unless it is a non-negative integer (D3)
 */
export function integerParameter(
  name: string,
  value: unknown,
  fallback: number,
  most = Infinity,
): number {
  if (value === undefined) return fallback;
  if (Array.isArray(value)) throw malformed(`${name} must occur only once`);
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text === '') return fallback;
  const number = text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), most) : NaN;
  if (!Number.isSafeInteger(number)) {
    throw malformed(`${name} must be a non-negative integer below 2^53`);
  }
  return number;
}

/** Parses the requested page; the default number of elements is `defaults.count`. */
export function readPage(
  query: Record<string, unknown>,
  defaults: { count: number } = { count: DEFAULT_COUNT },
): PageQuery {
  return {
    start: integerParameter('start', query.start, 0),
    count: integerParameter('count', query.count, defaults.count, MAX_COUNT),
  };
}

/** Selects a page from rows in memory; `total` is the number of rows. */
export function slicePage<T>(rows: readonly T[], page: PageQuery): Page<T> {
  return {
    start: page.start,
    total: rows.length,
    items: rows.slice(page.start, page.start + page.count),
  };
}
