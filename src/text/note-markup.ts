import { cleanText } from '../api/input/text-input';
import { bareAddresses } from './addresses';
import { decodeEntities } from './entities';

/** Layouts of a picture: left, center, right. */
export const LAYOUTS = ['L', 'C', 'R'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Layout and caption of a picture. */
export interface PictureStyle {
  readonly layout: Layout;
  /** May be empty. */
  readonly caption: string;
}

/** A node of a note. */
export type NoteNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly address: string; readonly title: string }
  | ({ readonly kind: 'picture'; readonly number: number } & PictureStyle);

const PLAIN_STYLE: PictureStyle = { layout: 'C', caption: '' };

// No mark contains a square bracket after its first character, and written marks begin with a
// square bracket. Therefore a written note is parsed to the same nodes again.
const ADDRESS = String.raw`https?:\/\/[^\s[\]<>"]+`;
const MARK = new RegExp(
  [
    String.raw`\[img=([1-9]\d{0,3}):([LCR])\]`,
    String.raw`\[url=(${ADDRESS})\]`,
    String.raw`(\[\/img\])`,
    String.raw`(\[\/url\])`,
    String.raw`<a\s([^<>[\]]*)>`,
    String.raw`(<\/a\s*>)`,
    // A picture's pseudo-tag is one of <图片p_1>, <图片 p_1>, <图片 p_1=""> (D31).
    String.raw`<图片\s*p_([1-9]\d{0,3})(?:\s*=\s*"[^"<>[\]]*")?\s*\/?>`,
  ].join('|'),
  'gi',
);
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=`]+))/i;

/** An invalid character number stays unchanged. */
const asItIs = (text: string): string => text;

const BEGINNING = /\[(?=\/?(?:img|url)\b)|<(?=\/?a[\s>]|图片)/gi;

/**
 * Titles and captions contain no marks: brackets that may begin a mark become full-width. This
 * includes incomplete marks, because two halves could become a mark.
 */
const withoutMarks = (text: string): string =>
  text.replace(BEGINNING, (bracket) => (bracket === '[' ? '［' : '＜'));

/** The URL of a link tag; undefined for schemes other than http and https. */
function addressOf(attributes: string): string | undefined {
  const [, double, single, bare] = HREF.exec(attributes) ?? [];
  const address = cleanText(decodeEntities(double ?? single ?? bare ?? '', asItIs));
  const encoded = address.replace(/[\s[\]<>"]/g, (character) => encodeURIComponent(character));
  return new RegExp(`^${ADDRESS}$`, 'i').test(encoded) ? encoded : undefined;
}

const pictureOf = (number: number, { layout, caption }: PictureStyle): NoteNode => ({
  kind: 'picture',
  number,
  layout,
  caption: withoutMarks(caption),
});

interface Mark {
  readonly opens?: NoteNode;
  /** The end of this mark; undefined for a mark without content. */
  readonly closedBy?: string;
  readonly closes?: string;
  readonly at: number;
  readonly end: number;
}

/** @param namedPicture returns the node of a picture that a pseudo-tag names */
function readMark(match: RegExpExecArray, namedPicture: (number: number) => NoteNode): Mark {
  // In the order of the groups of MARK. Named groups would double the cost of parsing.
  const [mark, image, layout, address, imageEnd, urlEnd, attributes, linkEnd, named] = match;
  const at = match.index;
  const end = at + mark.length;
  if (named !== undefined) {
    return { at, end, opens: namedPicture(Number(named)) };
  }
  if (image !== undefined) {
    const style = { layout: String(layout).toUpperCase() as Layout, caption: '' };
    return { at, end, opens: pictureOf(Number(image), style), closedBy: 'image' };
  }
  if (address !== undefined) {
    return { at, end, opens: { kind: 'link', address, title: '' }, closedBy: 'url' };
  }
  if (attributes !== undefined) {
    const target = addressOf(attributes);
    if (target === undefined) return { at, end };
    return { at, end, opens: { kind: 'link', address: target, title: '' }, closedBy: 'link' };
  }
  const closes = imageEnd ? 'image' : urlEnd ? 'url' : linkEnd ? 'link' : undefined;
  return { at, end, closes };
}

/** Adds text and makes its plain URLs links. */
function addText(nodes: NoteNode[], text: string): void {
  let at = 0;
  for (const { index, address } of bareAddresses(text)) {
    if (index > at) nodes.push({ kind: 'text', text: text.slice(at, index) });
    nodes.push({ kind: 'link', address, title: '' });
    at = index + address.length;
  }
  if (at < text.length) nodes.push({ kind: 'text', text: text.slice(at) });
}

function filled(node: NoteNode, closedBy: string, inside: string): NoteNode {
  if (node.kind === 'picture') return { ...node, caption: inside };
  if (node.kind !== 'link') return node;
  const title =
    closedBy === 'link' ? withoutMarks(cleanText(decodeEntities(inside, asItIs))) : inside;
  return { ...node, title };
}

/**
 * The tree of a note: pictures and links of specification section 2.6, pseudo-tags of pictures,
 * link tags and bare addresses (section 4.2). Everything else is text.
 *
 * @param styles layout and caption of pictures that pseudo-tags name; default: centred, no caption
 */
export function parseNote(
  content: string,
  styles: ReadonlyMap<number, PictureStyle> = new Map(),
): NoteNode[] {
  // One node for all tags of a picture: a caption may be as long as the content.
  const named = new Map<number, NoteNode>();
  const namedPicture = (number: number): NoteNode => {
    const node = named.get(number) ?? pictureOf(number, styles.get(number) ?? PLAIN_STYLE);
    named.set(number, node);
    return node;
  };
  const marks = [...content.matchAll(MARK)]
    .map((match) => readMark(match, namedPicture))
    .filter(({ opens, closes }) => opens !== undefined || closes !== undefined);
  const nodes: NoteNode[] = [];
  let at = 0;
  marks.forEach(({ opens, closedBy, at: start, end }, index) => {
    if (opens === undefined) return;
    const next = marks[index + 1];
    // An opening mark without its end as the very next mark is plain text.
    if (closedBy !== undefined && next?.closes !== closedBy) return;
    addText(nodes, content.slice(at, start));
    const inside = closedBy === undefined ? '' : content.slice(end, next?.at);
    nodes.push(closedBy === undefined ? opens : filled(opens, closedBy, inside));
    at = closedBy === undefined ? end : (next?.end ?? end);
  });
  addText(nodes, content.slice(at));
  return nodes;
}

function writeNode(node: NoteNode): string {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'link') return `[url=${node.address}]${node.title}[/url]`;
  return `[img=${node.number}:${node.layout}]${node.caption}[/img]`;
}

/** Writes the text form of a tree (specification section 2.6); parsing it returns the same tree. */
export const writeNote = (nodes: readonly NoteNode[]): string => nodes.map(writeNode).join('');

/** Whether the text form of a tree has more UTF-16 units than `length`; it is not written. */
export function isLongerThan(length: number, nodes: readonly NoteNode[]): boolean {
  let left = length;
  return nodes.some((node) => (left -= writeNode(node).length) < 0);
}

/** Layout and caption of the first occurrence of each picture. */
export function stylesIn(content: string): Map<number, PictureStyle> {
  const styles = new Map<number, PictureStyle>();
  for (const node of parseNote(content)) {
    if (node.kind === 'picture' && !styles.has(node.number)) styles.set(node.number, node);
  }
  return styles;
}

/** Appends pictures without a tag, each on its own line (D31). */
export function withPictures(
  nodes: readonly NoteNode[],
  pictures: ReadonlyMap<number, PictureStyle>,
): NoteNode[] {
  const shown = new Set(nodes.map((node) => (node.kind === 'picture' ? node.number : 0)));
  const all = [...nodes];
  for (const [number, style] of pictures) {
    if (shown.has(number)) continue;
    if (all.length > 0) all.push({ kind: 'text', text: '\n' });
    all.push(pictureOf(number, style));
  }
  return all;
}
