import { normalized } from './normalize';

/** Characters that text never holds: controls but newline and tab (D9). */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text as the service keeps it (D9): line ends as newline, no control characters but newline and
 * tab, well-formed Unicode in NFC, trimmed.
 */
export function cleanText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').toWellFormed();
  return normalized(plain, 'NFC').trim();
}

/** Length in code points, in which every limit is counted (D9). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first `limit` code points of a text. */
export function firstOf(text: string, limit: number): string {
  // Two UTF-16 units a code point at most, so that long texts are not spread whole.
  return Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join('');
}
