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

/**
 * The variants of a normalized text: unchanged, with replaced letters restored, and with repeated
 * letters reduced to one or two. Most texts have one variant.
 */
export function variants(text: string): string[] {
  const all = [text, ...STAND_INS.map((letters) => unmask(text, letters))];
  const unmasked = [...new Set(all)];
  return [
    ...new Set(
      unmasked.flatMap((reading) => [
        reading,
        reading.replace(DRAWN_OUT, '$1'),
        reading.replace(DRAWN_OUT, '$1$1'),
      ]),
    ),
  ];
}
