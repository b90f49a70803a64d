import { decodeEntities } from './entities';

const BREAKS = /<br\s*\/?>|<\/(?:p|div|li|h[1-6]|tr|blockquote)\s*>/gi;
// A tag ends before the next one begins, so that matching takes linear time.
const TAGS = /<\/?[a-z!][^<>]*>/gi;

/** Converts HTML to plain text: removes tags and keeps their line breaks. */
export function htmlText(html: string): string {
  const text = html.replace(/\r\n?/g, '\n').replace(BREAKS, '\n').replace(TAGS, '');
  return decodeEntities(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
