/** Characters that replace Latin letters. 1, ! and | have two readings. */
const STAND_INS: readonly ReadonlyMap<string, string>[] = ['i', 'l'].map((one) => {
  const pairs: [string, string][] = [
    ['0134578@$!|', `o${one}eastbas${one}${one}`],
    // Cyrillic and Greek letters that look like Latin ones.
    ['авсԁеһнієјкмоԛрѕтуѵԝх', 'abcdehhiejkmoqpstyvwx'],
    ['αβεικνορτυχω', 'abeikvoptuxw'],
  ];
  return new Map(
    pairs.flatMap(([from, to]) =>
      Array.from(from).map((letter, at): [string, string] => [letter, to[at] ?? '']),
    ),
  );
});

// A word with a replaced letter; a final ! or | is punctuation.
const TOKEN =
  /[a-z0-9@$\u0370-\u03ff\u0400-\u052f]+(?:[!|]+[a-z0-9@$\u0370-\u03ff\u0400-\u052f]+)*/g;
const STANDING_IN = /[0-9@$!|\u0370-\u03ff\u0400-\u052f]/;

/**
 * Whether a token is an obfuscated word, and not a number, a name with a number, or another script.
 */
function isDisguised(token: string): boolean {
  if (!STANDING_IN.test(token) || !/[a-z]/.test(token)) return false;
  const digits = token.replace(/[^0-9]/g, '').length;
  return digits <= token.length - digits;
}

const unmask = (text: string, letters: ReadonlyMap<string, string>): string =>
  text.replace(TOKEN, (token) =>
    isDisguised(token)
      ? Array.from(token, (character) => letters.get(character) ?? character).join('')
      : token,
  );

/** A letter repeated three times or more, which does not occur in words. */
const DRAWN_OUT = /([a-z])\1{2,}/g;

/** Letters that remain of a repeated letter. */
const KEPT = [1, 2] as const;

/** A text unchanged and with replaced letters restored, all of the same length. */
const unmasked = (text: string): ReadonlySet<string> =>
  new Set([text, ...STAND_INS.map((letters) => unmask(text, letters))]);

const shortened = (text: string, kept: number): string =>
  text.replace(DRAWN_OUT, '$1'.repeat(kept));

/**
 * The variants of a normalized text: unchanged, with replaced letters restored, and with repeated
 * letters reduced to one or two. Most texts have one variant.
 */
export const variants = (text: string): ReadonlySet<string> =>
  new Set(
    [...unmasked(text)].flatMap((reading) => [
      reading,
      ...KEPT.map((kept) => shortened(reading, kept)),
    ]),
  );

/** Indexes in a text of the characters that remain when repeated letters are reduced. */
function keptIndexes(text: string, kept: number): Int32Array {
  const indexes = new Int32Array(text.length);
  let [length, from] = [0, 0];
  const keep = (to: number): void => {
    for (; from < to; from += 1) {
      indexes[length] = from;
      length += 1;
    }
  };
  for (const { 0: run, index } of text.matchAll(DRAWN_OUT)) {
    keep(index + kept);
    from = index + run.length;
  }
  keep(text.length);
  return indexes.subarray(0, length);
}

/**
 * The variants of a normalized text (see {@link variants}), unchanged first, with the index in the
 * text of each character.
 */
export function indexedVariants(text: string): ReadonlyMap<string, Int32Array> {
  const all = new Map<string, Int32Array>();
  for (const reading of unmasked(text)) {
    all.set(
      reading,
      Int32Array.from({ length: text.length }, (_, at) => at),
    );
    for (const kept of KEPT) {
      const variant = shortened(reading, kept);
      if (!all.has(variant)) all.set(variant, keptIndexes(reading, kept));
    }
  }
  return all;
}
