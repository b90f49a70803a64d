/** Combining marks that follow a character at most, before they are normalized (UAX #15, UAX15-D4). */
const MAX_MARKS = 30;

/** COMBINING GRAPHEME JOINER: is invisible, and marks are not sorted across it. */
const JOINER = '\u034f';

/** Marks, and the half-width voicing marks that become marks in compatibility forms. */
const MARK = `[[\\p{M}\\uff9e\\uff9f]--[${JOINER}]]`;

/** A run of more marks than any language has. */
const LONG_RUN = new RegExp(`${MARK}{${MAX_MARKS}}(?=${MARK})`, 'gv');

/** Text below this length is normalized in no time, whatever is in it. */
const SHORT = 200;

/**
 * Text in a normal form. Normalization sorts the marks of each character by insertion, which takes
 * minutes for a megabyte of them; long runs are parted as the Stream-Safe Text Format has it
 * (UAX #15, section 13).
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  const safe = text.length < SHORT ? text : text.replace(LONG_RUN, `$&${JOINER}`);
  return safe.normalize(form);
}
