/**
 * Cache size: several times the characters of a language. An unbounded cache of all Unicode
 * characters would take 100 MB.
 */
const MAX = 30_000;

/** Caches the results of a function of one character; a full cache is cleared. */
export function remembered(work: (character: string) => string): (character: string) => string {
  const cache = new Map<string, string>();
  return (character) => {
    let result = cache.get(character);
    if (result === undefined) {
      result = work(character);
      if (cache.size >= MAX) cache.clear();
      cache.set(character, result);
    }
    return result;
  };
}
