import { lengthOf } from '../api/input/text-input';
import { absolute, type WireContext } from '../api/resources/resource';
import { EXCERPT_SOURCE, excerptSource, headOfWords } from './head';
import { escapeHtml, joinHtml } from './markup';
import { parseNote, type NoteNode } from './note-markup';
import { shorten } from './shorten';

const LAYOUT_CLASS = { L: 'left', C: 'centre', R: 'right' } as const;

/** The words of a node, including captions and link texts. */
const wordsOf = (node: NoteNode): string =>
  node.kind === 'text'
    ? node.text
    : node.kind === 'link'
      ? node.title.trim() || node.address
      : node.caption;

function withWords(node: NoteNode, words: string): NoteNode {
  if (node.kind === 'text') return { ...node, text: words };
  return node.kind === 'link' ? { ...node, title: words } : { ...node, caption: words };
}

/** The text of a note without markup, in one line. */
export function notePlainText(nodes: readonly NoteNode[]): string {
  return nodes
    .map((node) => (node.kind === 'picture' ? ` ${node.caption} ` : wordsOf(node)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Units that the caption or link title at the end of the beginning of a note may have. */
const MAX_LABEL = 2000;

/**
 * The nodes of the first {@link EXCERPT_SOURCE} UTF-16 units of a note, because parsing a long note
 * blocks other requests.
 * @param content the text form of a note
 */
function beginningOf(content: string): NoteNode[] {
  if (content.length <= EXCERPT_SOURCE) return parseNote(content);
  // A caption or title that begins before the cut ends with a tag in brackets.
  const rest = content.slice(EXCERPT_SOURCE, EXCERPT_SOURCE + MAX_LABEL);
  const [end] = /^[^[]*\[\/(?:img|url)\]/i.exec(rest) ?? [''];
  return parseNote(headOfWords(content, EXCERPT_SOURCE + end.length));
}

/** The beginning of {@link notePlainText}, for excerpts. An ellipsis stands for the rest. */
export const notePlainBeginning = (content: string): string =>
  notePlainText(beginningOf(content)) + (content.length <= EXCERPT_SOURCE ? '' : '…');

/**
 * The words of a note as its page shows them. Pictures beside the text do not separate words, and
 * those that do not exist show nothing.
 */
function pageWords(nodes: readonly NoteNode[], pictures: ReadonlySet<number>): string {
  const captions: string[] = [];
  const words = nodes.map((node) => {
    if (node.kind !== 'picture') return wordsOf(node);
    if (!pictures.has(node.number)) return '';
    if (node.layout === 'C') return `\n${node.caption}\n`;
    captions.push(`\n${node.caption}`);
    return '';
  });
  return [...words, ...captions].join('');
}

/** The words of a note as excerpts show them; pictures that exist separate words. */
const excerptWords = (nodes: readonly NoteNode[], pictures: ReadonlySet<number>): string =>
  nodes
    .map((node) => {
      if (node.kind !== 'picture') return wordsOf(node);
      const separator = pictures.has(node.number) ? '\n' : ' ';
      return `${separator}${node.caption}${separator}`;
    })
    .join('');

/**
 * The forms in which readers see a note with markup: its page, and excerpts, which may cut markup.
 * @param content the text form of a note
 * @param pictures the numbers of the pictures that exist
 */
export function displayedNoteForms(
  content: string,
  pictures: ReadonlySet<number>,
): readonly string[] {
  if (!/[[<]/.test(content)) return [];
  const nodes = parseNote(content);
  const beginnings =
    content.length <= EXCERPT_SOURCE ? [] : [content, excerptSource(content)].map(beginningOf);
  return [
    pageWords(nodes, pictures),
    ...[nodes, ...beginnings].map((shown) => excerptWords(shown, pictures)),
  ];
}

/** The beginning of a note up to `limit` code points, without splitting nodes. */
export function shortNote(nodes: readonly NoteNode[], limit: number): NoteNode[] {
  const shortened: NoteNode[] = [];
  let left = limit;
  for (const node of nodes) {
    const words = wordsOf(node);
    const length = lengthOf(words);
    if (length > left || (left === 0 && length === 0)) {
      if (left > 1) shortened.push(withWords(node, shorten(words, left)));
      else shortened.push({ kind: 'text', text: '…' });
      return shortened;
    }
    shortened.push(node);
    left -= length;
  }
  return shortened;
}

/**
 * Renders a note as safe HTML: all text is escaped, and only http and https links and existing
 * pictures become elements.
 * @param photos picture URLs by number
 */
export function noteHtml(
  nodes: readonly NoteNode[],
  photos: Readonly<Record<string, string>>,
  context: WireContext,
): string {
  return joinHtml(nodes, (node) => {
    if (node.kind === 'text') return escapeHtml(node.text).replace(/\n/g, '<br>');
    if (node.kind === 'link') {
      const label = escapeHtml(wordsOf(node)).replace(/\n/g, '<br>');
      return `<a href="${escapeHtml(node.address)}" rel="nofollow noopener">${label}</a>`;
    }
    const path = photos[String(node.number)];
    const source = path === undefined ? '' : absolute(path, context);
    if (!/^https?:\/\//i.test(source)) return '';
    const caption = escapeHtml(node.caption.trim());
    const below = caption === '' ? '' : `<figcaption>${caption}</figcaption>`;
    const image = `<img src="${escapeHtml(source)}" alt="${caption}">`;
    return `<figure class="${LAYOUT_CLASS[node.layout]}">${image}${below}</figure>`;
  });
}
