/** A URL in a text with its position. */
export interface BareAddress {
  readonly index: number;
  readonly address: string;
}

// Brackets end a URL, because they may belong to markup.
const ADDRESS = /https?:\/\/[^\s<>"'，。；：！？、（）【】《》“”[\]]+/gi;
const SHORTEST = 'http://x'.length;
const ENDS_SENTENCE = /[.,;:!?]/;

/** Excludes punctuation at the end, and a bracket that was opened before the URL. */
function endOf(address: string): number {
  let open = address.split('(').length - address.split(')').length;
  let end = address.length;
  for (; end >= SHORTEST; end -= 1) {
    const last = address[end - 1] ?? '';
    if (last === ')' && open < 0) open += 1;
    else if (!ENDS_SENTENCE.test(last)) break;
  }
  return end;
}

/** Plain http and https URLs in a text. */
export function bareAddresses(text: string): BareAddress[] {
  const found: BareAddress[] = [];
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = match.slice(0, endOf(match));
    if (/^https?:\/\/./i.test(address)) found.push({ index, address });
  }
  return found;
}
