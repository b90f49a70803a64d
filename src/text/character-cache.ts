/**
 * Cache size: more than the characters that any of the functions changes. An unbounded cache of all
 * Unicode characters would take 100 MB.
 */
const MAX = 30_000;

/** Number of Unicode code points. */
const CODE_POINTS = 0x110000;

/**
 * Caches the results of a function of one character. A full cache is cleared. Characters that the
 * function does not change take one bit each and stay cached. Otherwise a text with more different
 * characters than the cache holds, such as rare ideographs, would be computed again and again.
 */
export function cacheByCharacter(
  work: (character: string) => string,
): (character: string) => string {
  const cache = new Map<string, string>();
  const unchanged = new Uint8Array(CODE_POINTS / 8);
  return (character) => {
    const code = character.codePointAt(0) ?? 0;
    const bit = 1 << (code & 7);
    if (((unchanged[code >> 3] as number) & bit) !== 0) return character;
    let result = cache.get(character);
    if (result === undefined) {
      result = work(character);
      if (result === character) {
        unchanged[code >> 3] = (unchanged[code >> 3] as number) | bit;
        return result;
      }
      if (cache.size >= MAX) cache.clear();
      cache.set(character, result);
    }
    return result;
  };
}
