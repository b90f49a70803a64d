/**
 * Characters whose results are remembered: all that texts of one language have, several times over.
 * Unicode has room for more than a million, which somebody may send, and which would take 100 MB.
 */
const MAX = 30_000;

/**
 * A function of one character that remembers its results; when it has seen too many characters, it
 * starts again with none.
 */
export function remembered(work: (character: string) => string): (character: string) => string {
  const known = new Map<string, string>();
  return (character) => {
    let result = known.get(character);
    if (result === undefined) {
      result = work(character);
      if (known.size >= MAX) known.clear();
      known.set(character, result);
    }
    return result;
  };
}
