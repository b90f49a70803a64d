import { absolute, type WireContext } from '../api/resources/resource';
import { bareAddresses } from './addresses';

/** A node of marked-up text. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture'; readonly number: number }
  | { readonly kind: 'formula'; readonly source: string };

// A picture's pseudo-tag is one of <图片1>, <图片 1>, <图片 1="">, <图片 n="1"> (D24).
const PICTURE = String.raw`<图片\s*(?:n\s*=\s*"\s*(\d{1,4})\s*"|(\d{1,4})(?:\s*=\s*"[^"]*")?)\s*\/?>`;
const FORMULA = String.raw`<tex>([\s\S]*?)<\/tex>`;
const PICTURES = new RegExp(PICTURE, 'gi');
const TOKENS = new RegExp(`${PICTURE}|${FORMULA}`, 'gi');

/** The last possible end of a formula; 0 without a formula. */
function endOfFormulas(content: string): number {
  let end = 0;
  for (const { index, 0: close } of content.matchAll(/<\/tex>/gi)) end = index + close.length;
  return end;
}

function addNodes(content: string, tokens: RegExp, nodes: Node[]): void {
  let at = 0;
  for (const match of content.matchAll(tokens)) {
    if (match.index > at) nodes.push({ kind: 'text', text: content.slice(at, match.index) });
    const number = match[1] ?? match[2];
    nodes.push(
      number === undefined
        ? { kind: 'formula', source: match[3] ?? '' }
        : { kind: 'picture', number: Number(number) },
    );
    at = match.index + match[0].length;
  }
  if (at < content.length) nodes.push({ kind: 'text', text: content.slice(at) });
}

/** Parses text with pseudo-tags; anything else is plain text. */
export function parseMarkup(content: string): Node[] {
  const nodes: Node[] = [];
  // No formula can begin after the last end; searching for each end would take quadratic time.
  const end = endOfFormulas(content);
  addNodes(content.slice(0, end), TOKENS, nodes);
  addNodes(content.slice(end), PICTURES, nodes);
  return nodes;
}

/** Whether a text contains a formula. */
export const hasFormula = (content: string): boolean =>
  parseMarkup(content).some((node) => node.kind === 'formula' && node.source.trim() !== '');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Maximum length of rendered HTML in UTF-16 units; the rest is omitted. Pictures and links expand
 * the text, and responses have a limit (D41).
 */
export const MAX_HTML = 2_000_000;

/** Joins rendered parts, up to {@link MAX_HTML}. */
export function joinHtml<T>(nodes: readonly T[], render: (node: T) => string): string {
  let html = '';
  for (const node of nodes) {
    if (html.length > MAX_HTML) break;
    html += render(node);
  }
  return html;
}

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

function linkText(text: string): string {
  let html = '';
  let at = 0;
  for (const { index, address } of bareAddresses(text)) {
    const escaped = escapeHtml(address);
    html += escapeHtml(text.slice(at, index));
    html += `<a href="${escaped}" rel="nofollow noopener">${escaped}</a>`;
    at = index + address.length;
  }
  return html + escapeHtml(text.slice(at));
}

/**
 * Renders text with pseudo-tags as safe HTML: all text is escaped, URLs become links, and
 * pseudo-tags of existing pictures become images.
 * @param photos picture URLs by number
 */
export function renderHtml(
  content: string,
  photos: Readonly<Record<string, string>>,
  context: WireContext,
): string {
  return joinHtml(parseMarkup(content), (node) => {
    if (node.kind === 'text') return linkText(node.text).replace(/\n/g, '<br>');
    if (node.kind === 'formula') return `<code class="tex">${escapeHtml(node.source)}</code>`;
    const path = photos[String(node.number)];
    const source = path === undefined ? '' : absolute(path, context);
    return /^https?:\/\//.test(source) ? `<img src="${escapeHtml(source)}" alt="">` : '';
  });
}

/** The text without pseudo-tags, in one line. */
export function plainText(content: string): string {
  return parseMarkup(content)
    .map((node) => (node.kind === 'text' ? node.text : node.kind === 'formula' ? node.source : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
