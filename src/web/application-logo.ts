import { paletteOf } from './drawn-covers';
import { html, type Html } from './html';

/** Sides in CSS pixels on wide screens; keep in step with `style/drawn.ts`. */
const SIDES = { small: 28, medium: 48, large: 72 } as const;

/** The end of the names of test keys, which look like their applications. */
const TEST_KEY = / \(test\)$/;

/** The first letter or digit of a name, or its first character. */
function initialOf(name: string): string {
  const [first = ''] = /[\p{L}\p{N}]/u.exec(name) ?? name.trim();
  return first.toUpperCase();
}

/**
 * The logo of an application. Without one it is a tile with the initial; its colours depend on the
 * name alone. Screen readers ignore it: the name is beside it.
 * @param path of the picture; undefined or null without one
 */
export function logo(
  name: string,
  path: string | null | undefined,
  size: keyof typeof SIDES = 'medium',
): Html {
  const side = SIDES[size];
  if (path !== null && path !== undefined)
    return html`<img class="logo ${size}" src="${path}" alt="" width="${side}" height="${side}" />`;
  const own = name.replace(TEST_KEY, '');
  return html`<span class="logo ${size} drawn ${paletteOf(own)}" aria-hidden="true"
    >${initialOf(own)}</span
  >`;
}
