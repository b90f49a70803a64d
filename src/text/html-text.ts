import { decodeEntities } from './entities';

const BREAKS = /<br\s*\/?>|<\/(?:p|div|li|h[1-6]|tr|blockquote)\s*>/gi;
// A tag ends before the next one begins: what is no tag is not searched to the end each time.
const TAGS = /<\/?[a-z!][^<>]*>/gi;

/** HTML as text, for readers that show none: tags are taken away, their line breaks kept. */
export function htmlText(html: string): string {
  const text = html.replace(/\r\n?/g, '\n').replace(BREAKS, '\n').replace(TAGS, '');
  return decodeEntities(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
