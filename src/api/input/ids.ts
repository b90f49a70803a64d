/** A numeric id that a text may stand for, or null. Ids past 2^53 belong to nothing (D10). */
export function idIn(text: string): number | null {
  const id = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? id : null;
}
