/** What stands for a Latin letter among others. 1, ! and | are read in two ways. */
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

// A word with anything in it that stands for a letter; ! and | at its end are punctuation.
const TOKEN =
  /[a-z0-9@$\u0370-\u03ff\u0400-\u052f]+(?:[!|]+[a-z0-9@$\u0370-\u03ff\u0400-\u052f]+)*/g;
const STANDING_IN = /[0-9@$!|\u0370-\u03ff\u0400-\u052f]/;

/** Whether a token is a word in disguise, and not a number, a name with a number, another script. */
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

/** A letter three times and more, which no word has. */
const DRAWN_OUT = /([a-z])\1{2,}/g;

/**
 * The ways to read a plain text: as it is, with what stands for Latin letters read as these, with
 * letters that are drawn out said once or twice. Most texts have one way.
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
