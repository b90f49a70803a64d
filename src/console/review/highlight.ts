import { html, type Piece } from '../../web/html';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text with the occurrences of words marked, in any case and with spaces between letters. */
export function highlighted(text: string, words: readonly string[]): Piece {
  const patterns = words
    .map((word) => [...word.replace(/\s+/g, '')].map(escapePattern).join('\\s*'))
    .filter((pattern) => pattern !== '');
  if (patterns.length === 0) return text;
  const parts = text.split(new RegExp(`(${patterns.join('|')})`, 'giu'));
  return parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
