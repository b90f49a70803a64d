/** The value below which a share of the sorted values lies; interpolates between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A median with its quartiles. */
export interface Spread {
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  q1: quantile(values, 0.25),
  median: median(values),
  q3: quantile(values, 0.75),
});

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
