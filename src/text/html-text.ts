const BREAKS = /<br\s*\/?>|<\/(?:p|div|li|h[1-6]|tr|blockquote)\s*>/gi;
// A tag ends before the next one begins: what is no tag is not searched to the end each time.
const TAGS = /<\/?[a-z!][^<>]*>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decode(whole: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  if (Number.isNaN(code)) return NAMED[name.toLowerCase()] ?? whole;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** HTML as text, for readers that show none: tags are taken away, their line breaks kept. */
export function htmlText(html: string): string {
  return html
    .replace(/\r\n?/g, '\n')
    .replace(BREAKS, '\n')
    .replace(TAGS, '')
    .replace(ENTITY, decode)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
