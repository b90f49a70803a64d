/** An address in a text, and where it begins. */
export interface BareAddress {
  readonly index: number;
  readonly address: string;
}

// Brackets of marks end an address: what follows belongs to them.
const ADDRESS = /https?:\/\/[^\s<>"'，。；：！？、（）【】《》“”[\]]+/gi;
const SHORTEST = 'http://x'.length;
const ENDS_SENTENCE = /[.,;:!?]/;

/** What ends a sentence is not part of the address in it, nor is a bracket that opened before it. */
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

/** Addresses of http and https that stand in a text by themselves. */
export function bareAddresses(text: string): BareAddress[] {
  const found: BareAddress[] = [];
  for (const { 0: whole, index } of text.matchAll(ADDRESS)) {
    const address = whole.slice(0, endOf(whole));
    if (/^https?:\/\/./i.test(address)) found.push({ index, address });
  }
  return found;
}
