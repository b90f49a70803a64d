import { appendFileSync } from 'node:fs';

/**
 * Whether tests of faults and attacks run at the size that `docs/guarantees.md` states. Set by
 * `npm run test:faults` and `npm run test:attacks`; `npm test` runs the same tests at a small size.
 */
export const FULL_SCALE = process.env.FULL_SCALE === '1';

/** Picks the size of a test: the stated one at full scale, a small one in `npm test`. */
export const atScale = <T>(full: T, small: T): T => (FULL_SCALE ? full : small);

/**
 * Reports a measured figure, and holds it against its bound at full scale only: `npm test` asserts
 * neither times nor memory. Figures are appended to the file that `FIGURES_FILE` names, a line each.
 *
 * @param name what was measured, with its unit
 */
export function figure(name: string, value: number, { atMost }: { atMost: number }): void {
  const line = `${name}: ${Number(value.toFixed(3))} (at most ${atMost})`;
  if (process.env.FIGURES_FILE) appendFileSync(process.env.FIGURES_FILE, `${line}\n`);
  else if (FULL_SCALE) process.stderr.write(`figure: ${line}\n`);
  if (FULL_SCALE && !(value <= atMost)) throw new Error(line);
}

/** The value that a share of all values does not exceed, such as 0.99 of them; the largest at 1. */
export function atShare(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}
