import { malformed } from '../errors/errors';

/** What part of a list a caller asks for (D2, D3). */
export interface PageQuery {
  readonly start: number;
  readonly count: number;
}

/** One page of rows, before it is written. */
export interface Page<T> {
  readonly start: number;
  /** Exact number of matches. */
  readonly total: number;
  readonly items: readonly T[];
  /** Members beside the list's own, such as `user` (sources, not wire shapes). */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A larger `count` becomes this, in every area (D3). */
export const MAX_COUNT = 100;

/** `count` where the specification names none (D3). */
export const DEFAULT_COUNT = 20;

/**
 * `start` or `count` as it stands in the query, up to `most`. Absent or empty gives the default.
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
  if (Array.isArray(value)) throw malformed(`${name} must be given once`);
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text === '') return fallback;
  const number = text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), most) : NaN;
  if (!Number.isSafeInteger(number)) {
    throw malformed(`${name} must be a non-negative integer below 2^53`);
  }
  return number;
}

/** The page that a query asks for, `defaults.count` elements when it does not say. */
export function readPage(
  query: Record<string, unknown>,
  defaults: { count: number } = { count: DEFAULT_COUNT },
): PageQuery {
  return {
    start: integerParameter('start', query.start, 0),
    count: integerParameter('count', query.count, defaults.count, MAX_COUNT),
  };
}

/** The part of rows already at hand that a page names; `total` is how many there are. */
export function slicePage<T>(rows: readonly T[], page: PageQuery): Page<T> {
  return {
    start: page.start,
    total: rows.length,
    items: rows.slice(page.start, page.start + page.count),
  };
}
