import { normalized } from './normalize';

/** A control character other than newline and tab; these are removed from text (D9). */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const TAB = 0x09;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const isRemoved = (codeUnit: number): boolean =>
  codeUnit < 0x20 ? codeUnit !== TAB && codeUnit !== NEWLINE : codeUnit >= 0x7f && codeUnit <= 0x9f;

/**
 * Replaces each line end with a newline, and removes other control characters. A regular expression
 * takes 0.4 s of CPU and 30 MB for a megabyte of carriage returns.
 */
function normalizeControls(text: string): string {
  const first = text.search(CONTROL);
  if (first < 0) return text;
  const kept = new Uint16Array(text.length - first);
  let length = 0;
  for (let index = first; index < text.length; index += 1) {
    const codeUnit = text.charCodeAt(index);
    const isLineEnd = codeUnit === CARRIAGE_RETURN && text.charCodeAt(index + 1) !== NEWLINE;
    if (isLineEnd) kept[length++] = NEWLINE;
    else if (!isRemoved(codeUnit)) kept[length++] = codeUnit;
  }
  return text.slice(0, first) + Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le');
}

/**
 * Cleans text (D9): newlines as line ends, no control characters except newline and tab,
 * well-formed Unicode in NFC, trimmed.
 */
export function cleanText(text: string): string {
  return normalized(normalizeControls(text).toWellFormed(), 'NFC').trim();
}

const VISIBLE = /[^\p{Cf}\p{Cc}\s]/u;

/** Whether a text has no visible character. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Length in code points, the unit of every limit (D9). */
export function lengthOf(text: string): number {
  // Iterating over code points takes 20 times as long as this loop.
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))) length -= 1;
  }
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
