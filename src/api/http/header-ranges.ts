/** A range of `Accept` or `Accept-Language` in lower case, with its weight. */
export interface HeaderRange {
  readonly name: string;
  /** From 0 to 1; 0 excludes the range. */
  readonly weight: number;
}

/** Maximum length of an `Accept` header that is read; browsers send about 100 characters. */
export const MAX_ACCEPT = 1000;

/**
 * The ranges of a header (RFC 9110, section 12.4.2); malformed weights are 0. A header beyond
 * {@link MAX_ACCEPT} has none.
 */
export function rangesOf(header: string): readonly HeaderRange[] {
  if (header.length > MAX_ACCEPT) return [];
  return header.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    return { name, weight: Number.isNaN(weight) ? 0 : weight };
  });
}
