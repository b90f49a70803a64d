import { html, type Html, type Piece } from './html';

/** Number of palettes `.drawn.d0` and so on in `style/drawn.ts`. */
const PALETTES = 6;

/** A number that depends on a text alone (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}

/** The class of the palette of a name. */
export const paletteOf = (name: string): string => `d${hashOf(name) % PALETTES}`;

const bust = (name: string): Html => {
  const [initial = ''] = name.trim();
  return html`<svg viewBox="0 0 42 60" aria-hidden="true" focusable="false">
    <circle class="two" cx="${6 + (hashOf(name) % 30)}" cy="16" r="20" />
    <circle class="one" cx="21" cy="24" r="9.5" />
    <path class="one" d="M4 60C4 43 12 37 21 37s17 6 17 23z" />
    <text x="21" y="28" text-anchor="middle">${initial}</text>
  </svg>`;
};

/**
 * A picture for a work or person without one: a bust with the initial, or the title on a ground. The
 * colours depend on the name alone.
 * @param title the name as a page shows it
 * @param alt text for screen readers; empty where the name is beside it
 */
export function drawnCover(shape: string, name: string, title: Piece, alt: string): Html {
  const content: Piece =
    shape === 'portrait' ? bust(name) : html`<span class="text" aria-hidden="true">${title}</span>`;
  const label = alt === '' ? html`aria-hidden="true"` : html`role="img" aria-label="${alt}"`;
  return html`<span class="cover ${shape} drawn ${paletteOf(name)}" ${label}>${content}</span>`;
}
