/** Maximum number of combining marks after a character (UAX #15, UAX15-D4). */
const MAX_MARKS = 30;

/** COMBINING GRAPHEME JOINER: invisible; normalization does not sort marks across it. */
const JOINER = '\u034f';

/** Marks, and half-width voicing marks, which become marks in compatibility forms. */
const MARK = `[[\\p{M}\\uff9e\\uff9f]--[${JOINER}]]`;

/** A run of more marks than any language has, from its start: others are not matched repeatedly. */
const LONG_RUN = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1},}`, 'gv');

/** The beginning of a run, after which a joiner splits it. */
const BEGINNING = new RegExp(`.{${MAX_MARKS}}(?!$)`, 'gsvy');

/** Any text below this length is fast to normalize. */
const SHORT = 200;

/**
 * Converts text to a normal form. Normalization uses insertion sort for the marks of a character,
 * which takes minutes for a megabyte of marks. So long runs are split as in the Stream-Safe Text
 * Format (UAX #15, section 13).
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (text.length < SHORT) return text.normalize(form);
  const split = (run: string): string => run.replace(BEGINNING, `$&${JOINER}`);
  return text.replace(LONG_RUN, split).normalize(form);
}
