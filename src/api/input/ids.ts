/** Parses a numeric id; null for other text. No object has an id above 2^53 (D10). */
export function idIn(text: string): number | null {
  const id = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? id : null;
}
