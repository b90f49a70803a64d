import { escapeHtml } from '../text/markup';

/** Escaped markup; only {@link html} and the Markdown of the documentation create it. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template; `false`, `null` and `undefined` render as nothing. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[];

const isList = (piece: Piece): piece is readonly Piece[] => Array.isArray(piece);

function write(piece: Piece): string {
  if (piece === false || piece === null || piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (isList(piece)) return piece.map(write).join('');
  return escapeHtml(String(piece));
}

/**
 * A template tag for markup. It escapes all values except {@link Html}. Attribute values must be
 * quoted.
 */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(strings.reduce((text, part, at) => text + write(pieces[at - 1]) + part));
