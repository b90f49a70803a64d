import { absolute, type WireContext } from '../api/resources/resource';
import { bareAddresses } from './addresses';
import { EXCERPT_SOURCE, excerptSource, headOfWords } from './head';

/** A node of marked-up text. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture'; readonly number: number }
  | { readonly kind: 'formula'; readonly source: string }
  /** Program text; `language` is empty if it is not given. */
  | { readonly kind: 'code'; readonly language: string; readonly source: string }
  /** Text quoted from the book. Its nodes contain no further quotation. */
  | { readonly kind: 'quote'; readonly nodes: readonly Node[] };

// A picture's pseudo-tag is one of <图片1>, <图片 1>, <图片 1="">, <图片 n="1"> (D24).
const PICTURE = String.raw`<图片\s*(?:n\s*=\s*"\s*(\d{1,4})\s*"|(\d{1,4})(?:\s*=\s*"[^"]*")?)\s*\/?>`;
// Quotations and code have pseudo-tags around them (D117).
const QUOTE = String.raw`(<原文开始\s*>)|(<\/原文结束\s*>)`;
// A value is not empty, so that only one part can match the spaces after `=`: linear time.
const LANGUAGE_VALUE = String.raw`\s*(?:["']?([^\s"'<>]{1,40})["']?|["']{1,2})`;
const CODE = String.raw`(<代码开始(?:\s+lang\s*=(?:${LANGUAGE_VALUE})?)?\s*>)|(<\/代码结束\s*>)`;
const FORMULA = String.raw`(<tex>)|(<\/tex>)`;
const MARKS = new RegExp(`${PICTURE}|${QUOTE}|${CODE}|${FORMULA}`, 'gi');

type Block = 'quote' | 'code' | 'formula';

/** A pseudo-tag in a text. */
interface Mark {
  readonly at: number;
  readonly end: number;
  readonly picture?: number;
  readonly opens?: Block;
  readonly closes?: Block;
  readonly language: string;
}

/** Reads by index, because destructuring a match takes longer than finding it. */
function readMark(match: RegExpExecArray): Mark {
  const at = match.index;
  const end = at + match[0].length;
  const number = match[1] ?? match[2];
  const language = match[6] ?? '';
  if (number !== undefined) return { at, end, picture: Number(number), language };
  const opens = match[3] ? 'quote' : match[5] ? 'code' : match[8] ? 'formula' : undefined;
  const closes = match[4] ? 'quote' : match[7] ? 'code' : match[9] ? 'formula' : undefined;
  return { at, end, opens, closes, language };
}

function marksOf(content: string): Mark[] {
  const marks: Mark[] = [];
  MARKS.lastIndex = 0;
  for (let match = MARKS.exec(content); match; match = MARKS.exec(content)) {
    marks.push(readMark(match));
  }
  return marks;
}

/** The next mark that closes its block, for each mark that opens one; linear time. */
function closings(marks: readonly Mark[]): (Mark | undefined)[] {
  const next: Partial<Record<Block, Mark>> = {};
  const found = new Array<Mark | undefined>(marks.length);
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index] as Mark;
    if (mark.closes) next[mark.closes] = mark;
    if (mark.opens) found[index] = next[mark.opens];
  }
  return found;
}

function blockOf({ opens, language }: Mark, inside: string, later: readonly Block[]): Node {
  if (opens === 'quote') return { kind: 'quote', nodes: parse(inside.trim(), false, later) };
  if (opens === 'formula') return { kind: 'formula', source: inside };
  return { kind: 'code', language, source: inside.replace(/^\n|\n$/g, '') };
}

/** @param later blocks that close after the content, because it is the beginning of a text */
function parse(content: string, mayQuote: boolean, later: readonly Block[] = []): Node[] {
  // Most texts, and most quotations, have no marks.
  if (!content.includes('<')) return content === '' ? [] : [{ kind: 'text', text: content }];
  const marks = marksOf(content);
  const { length: end } = content;
  marks.push(...later.map((closes) => ({ at: end, end, closes, language: '' })));
  const ends = closings(marks);
  const nodes: Node[] = [];
  let at = 0;
  marks.forEach((mark, index) => {
    // Formulas and code contain no pseudo-tags.
    if (mark.at < at) return;
    const close = ends[index];
    const isBlock = close !== undefined && (mayQuote || mark.opens !== 'quote');
    if (mark.picture === undefined && !isBlock) return;
    if (mark.at > at) nodes.push({ kind: 'text', text: content.slice(at, mark.at) });
    if (mark.picture !== undefined) nodes.push({ kind: 'picture', number: mark.picture });
    else {
      const closesLater = close?.at === end;
      nodes.push(blockOf(mark, content.slice(mark.end, close?.at), closesLater ? later : []));
    }
    at = close?.end ?? mark.end;
  });
  if (at < content.length) nodes.push({ kind: 'text', text: content.slice(at) });
  return nodes;
}

/** Parses text with pseudo-tags; a tag that is not closed, and anything else, is plain text. */
export const parseMarkup = (content: string): Node[] => parse(content, true);

const containsFormula = (nodes: readonly Node[]): boolean =>
  nodes.some(
    (node) =>
      (node.kind === 'formula' && node.source.trim() !== '') ||
      (node.kind === 'quote' && containsFormula(node.nodes)),
  );

/** Whether a text contains a formula. */
export const hasFormula = (content: string): boolean =>
  /<tex>/i.test(content) && containsFormula(parseMarkup(content));

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
  if (!text.includes('://')) return escapeHtml(text);
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

/** Names of languages that become a class, such as `python` or `c++`. */
const LANGUAGE = /^[\w+#.-]+$/;

function codeHtml(language: string, source: string): string {
  const type = LANGUAGE.test(language) ? ` class="language-${language.toLowerCase()}"` : '';
  return `<pre><code${type}>${escapeHtml(source)}</code></pre>`;
}

function nodesHtml(
  nodes: readonly Node[],
  photos: Readonly<Record<string, string>>,
  context: WireContext,
): string {
  return joinHtml(nodes, (node) => {
    if (node.kind === 'text') return linkText(node.text).replace(/\n/g, '<br>');
    if (node.kind === 'formula') return `<code class="tex">${escapeHtml(node.source)}</code>`;
    if (node.kind === 'code') return codeHtml(node.language, node.source);
    if (node.kind === 'quote') {
      return `<blockquote>${nodesHtml(node.nodes, photos, context)}</blockquote>`;
    }
    const path = photos[String(node.number)];
    const source = path === undefined ? '' : absolute(path, context);
    return /^https?:\/\//.test(source) ? `<img src="${escapeHtml(source)}" alt="">` : '';
  });
}

/**
 * Renders text with pseudo-tags as safe HTML: all text is escaped, URLs become links, pseudo-tags
 * of existing pictures become images, quotations `blockquote` and code `pre` (D117).
 * @param photos picture URLs by number
 */
export const renderHtml = (
  content: string,
  photos: Readonly<Record<string, string>>,
  context: WireContext,
): string => nodesHtml(parseMarkup(content), photos, context);

/** @param formula returns the words of the source of a formula */
function wordsOf(nodes: readonly Node[], formula = (source: string): string => source): string {
  const words = nodes.map((node) => {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'formula') return formula(node.source);
    if (node.kind === 'code') return ` ${node.source} `;
    return node.kind === 'quote' ? ` ${wordsOf(node.nodes, formula)} ` : '';
  });
  return words.join('');
}

const inOneLine = (nodes: readonly Node[]): string => wordsOf(nodes).replace(/\s+/g, ' ').trim();

/** The text without pseudo-tags, in one line; it has the words of quotations and code. */
export const plainText = (content: string): string => inOneLine(parseMarkup(content));

/** The ends of blocks. */
const ENDS: readonly (readonly [Block, RegExp])[] = [
  ['quote', /<\/原文结束\s*>/i],
  ['code', /<\/代码结束\s*>/i],
  ['formula', /<\/tex>/i],
];

/** Half a pseudo-tag at the end of the beginning of a text. */
const HALF_TAG = /<[^<>]{0,60}$/;

/**
 * The nodes of the first {@link EXCERPT_SOURCE} UTF-16 units of a text, because parsing a long text
 * blocks other requests.
 */
function beginningOf(content: string): Node[] {
  if (content.length <= EXCERPT_SOURCE) return parseMarkup(content);
  const head = headOfWords(content, EXCERPT_SOURCE).replace(HALF_TAG, '');
  const rest = content.slice(head.length);
  const later = ENDS.filter(([, end]) => end.test(rest)).map(([block]) => block);
  return parse(head, true, later);
}

/** The beginning of {@link plainText}, for excerpts. An ellipsis stands for the rest. */
export const plainBeginning = (content: string): string =>
  inOneLine(beginningOf(content)) + (content.length <= EXCERPT_SOURCE ? '' : '…');

/**
 * Commands of formulas with the arguments that they do not show, after optional ones in brackets.
 * Tags are shown in display mode only, which texts do not use.
 */
const HIDDEN_ARGUMENTS: readonly (readonly [commands: string, argument: string])[] = [
  ['(?:text|page)?color|colorbox|[hv]?phantom|[hvm]space\\*?', '\\{[^{}]*\\}'],
  ['begin|end|label|tag|ref|eqref|raisebox|href|class|style|id', '\\{[^{}]*\\}'],
  ['fcolorbox|rule', '\\{[^{}]*\\}\\s*\\{[^{}]*\\}'],
  ['[hm]?skip|m?kern', '[+-]?[\\d.]+\\s*[a-z]{2}'],
];

/** What a formula does not show: comments, colors, spaces, commands, control symbols and braces. */
const TEX_MARKUP = new RegExp(
  [
    '%.*',
    ...HIDDEN_ARGUMENTS.map(
      ([commands, argument]) => `\\\\(?:${commands})\\s*(?:\\[[^[\\]{}]*\\]\\s*)?${argument}`,
    ),
    '\\\\[a-z]+',
    '\\\\.',
    '[{}~^_\\s]',
  ].join('|'),
  'gi',
);

/** A character by its code: hexadecimal, octal or decimal. */
const TEX_CHARACTER = /\\char\s*(?:"([\da-f]{1,6})|'([0-7]{1,7})|(\d{1,7}))/gi;

/** The character with a code; nothing if there is none. */
const characterOf = (code: number): string =>
  code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';

/** Returns the words that a formula displays. */
const displayedFormula = (source: string): string =>
  source
    .replace(TEX_CHARACTER, (_, hex?: string, octal?: string, decimal?: string) => {
      if (hex !== undefined) return characterOf(parseInt(hex, 16));
      return characterOf(octal === undefined ? Number(decimal) : parseInt(octal, 8));
    })
    .replace(TEX_MARKUP, '');

/**
 * The forms in which readers see a text with markup: its page, and its beginning in a page and in
 * lists, which may cut markup. Pictures do not separate words, because excerpts omit them.
 */
export function displayedForms(content: string): readonly string[] {
  if (!content.includes('<')) return [];
  const nodes = parseMarkup(content);
  const beginnings =
    content.length <= EXCERPT_SOURCE ? [] : [content, excerptSource(content)].map(beginningOf);
  return [wordsOf(nodes, displayedFormula), ...[nodes, ...beginnings].map((part) => wordsOf(part))];
}
