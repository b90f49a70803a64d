import { escapeHtml } from '../text/markup';

/** Markup that is safe to send as it is: made by {@link html} alone. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand in a template; `false`, `null` and `undefined` leave nothing. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[];

const isList = (piece: Piece): piece is readonly Piece[] => Array.isArray(piece);

function write(piece: Piece): string {
  if (piece === false || piece === null || piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (isList(piece)) return piece.map(write).join('');
  return escapeHtml(String(piece));
}

/**
 * A template of markup: everything put into it is escaped, unless it is markup made the same way.
 * Values of attributes must stand in quotation marks.
 */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(strings.reduce((text, part, at) => text + write(pieces[at - 1]) + part));
