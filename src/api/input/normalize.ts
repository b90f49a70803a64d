/** Maximum number of combining marks after a character (UAX #15, UAX15-D4). */
const MAX_MARKS = 30;

/** COMBINING GRAPHEME JOINER: invisible; normalization does not sort marks across it. */
const JOINER = '\u034f';

/** Marks, and half-width voicing marks, which become marks in compatibility forms. */
const MARK = `[[\\p{M}\\uff9e\\uff9f]--[${JOINER}]]`;

/** The start of a run of more marks than any language has. The lookbehind allows one for each run. */
const LONG_RUN = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1}}`, 'gv');

/** Marks after which a run is split. */
const FULL = new RegExp(`${MARK}{${MAX_MARKS}}(?=${MARK})`, 'vy');

/** Any text below this length is fast to normalize. */
const SHORT = 200;

/** Splits long runs of marks with joiners. */
function splitRuns(text: string): string {
  let split = '';
  let end = 0;
  for (const { index } of text.matchAll(LONG_RUN)) {
    FULL.lastIndex = index;
    while (FULL.test(text)) {
      split += text.slice(end, FULL.lastIndex) + JOINER;
      end = FULL.lastIndex;
    }
  }
  return split + text.slice(end);
}

/**
 * Converts text to a normal form. Normalization uses insertion sort for the marks of a character,
 * which takes minutes for a megabyte of marks. So long runs are split as in the Stream-Safe Text
 * Format (UAX #15, section 13).
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (text.length < SHORT ? text : splitRuns(text)).normalize(form);
}
