import { normalized } from './normalize';

/** Control characters, except newline and tab, are removed from text (D9). */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Cleans text (D9): newlines as line ends, no control characters except newline and tab,
 * well-formed Unicode in NFC, trimmed.
 */
export function cleanText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').toWellFormed();
  return normalized(plain, 'NFC').trim();
}

/** Length in code points, the unit of every limit (D9). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first `limit` code points of a text. */
export function firstOf(text: string, limit: number): string {
  // A code point has at most two UTF-16 units, so this avoids spreading a long text.
  return Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join('');
}

/**
 * Removes an ellipsis, or a part of it, from the end of a truncated text. Otherwise the text would
 * end in two ellipses (D43).
 *
 * @param next the characters after the cut
 */
export const withoutEllipsis = (text: string, next: string): string =>
  text.replace(next.startsWith('.') ? /(?:\.+|…+)$/ : /(?:\.{2,}|…+)$/, '');

/**
 * The first `limit` code points of a text. If that cuts an ellipsis of the text in two, it is
 * written as one character (D43).
 */
export function excerptOf(text: string, limit: number): string {
  const head = firstOf(text, limit);
  const next = text.slice(head.length);
  const isCut = /^(?:\.|…)/.test(next) && head.endsWith(next.charAt(0));
  return isCut ? `${withoutEllipsis(head, next)}…` : head;
}
