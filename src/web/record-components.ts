import { findMatches } from '../text/matches';
import { shorten } from '../text/shorten';
import { drawnCover } from './drawn-covers';
import { html, type Html, type Piece } from './html';

/** Components that show books, films, people and events. */

/** Maximum length of a title or name in characters: that of titles of users (D41). */
export const MAX_NAME = 1000;

/** Maximum length of a title or name in lists in characters. It bounds the marks of a search, too. */
export const MAX_LISTED_NAME = 300;

/** Shapes of pictures with their size in pixels. */
const SHAPES = {
  book: [316, 454],
  poster: [288, 465],
  event: [400, 574],
  portrait: [210, 300],
  photo: [600, 338],
} as const;

/** Shape of a picture: cover of a book, poster of a film or event, portrait, still. */
export type CoverShape = keyof typeof SHAPES;

/** A picture of a work. */
export interface Cover {
  readonly src: string;
  /** Text for those who do not see it; empty where a title beside it says the same. */
  readonly alt: string;
  readonly shape: CoverShape;
  /** Title or name, which is drawn if there is no picture; default is `alt`. */
  readonly name?: string;
  /** Whether it is visible at once; others load when they are scrolled into view. */
  readonly eager?: boolean;
}

/** Addresses of the pictures that the API has for works and people without one. */
const DEFAULT_PICTURE = '/pictures/sample/default/';

/** Whether an address is that of a picture of its own. */
const isPicture = (src: string): boolean =>
  /^(https?:\/)?\//i.test(src) && !src.includes(DEFAULT_PICTURE);

/**
 * A cover, poster, portrait or still, with its size so that the page does not move. Without a
 * picture it is drawn from the name.
 */
export function cover({ src, alt, shape, name = alt, eager = false }: Cover): Html {
  const [width, height] = SHAPES[shape];
  if (!isPicture(src)) return drawnCover(shape, name, inOwnLanguage(name), alt);
  return html`<img
    class="cover ${shape}"
    src="${src}"
    alt="${alt}"
    width="${width}"
    height="${height}"
    decoding="async"
    ${eager ? html`fetchpriority="high"` : html`loading="lazy"`}
  />`;
}

/** The picture of a user. */
export const avatar = (src: string, size?: 'small' | 'large'): Html =>
  html`<img class="avatar ${size}" src="${src}" alt="" width="48" height="48" loading="lazy" />`;

/** Chinese texts within a page of another language need their own font and line breaks. */
export const langOf = (text: string): 'zh' | undefined =>
  /\p{Script=Han}/u.test(text) ? 'zh' : undefined;

/** A title, name or quotation in its own language. */
export function inOwnLanguage(text: string): Piece {
  const shown = shorten(text, MAX_NAME);
  return langOf(shown) === undefined ? shown : html`<span lang="zh">${shown}</span>`;
}

/** Whether a text of a list has a word of a search where the list shows it. */
export const hasMatch = (text: string, q: string): boolean =>
  findMatches(shorten(text, MAX_LISTED_NAME), q).length > 0;

/**
 * A text of a list in its own language, whose words of a search are marked; without a search the
 * text. It is shortened to {@link MAX_LISTED_NAME}.
 */
export function highlighted(whole: string, q: string | undefined): Piece {
  const text = shorten(whole, MAX_LISTED_NAME);
  const matches = q === undefined ? [] : findMatches(text, q);
  const pieces = matches.map(([from, to], at) => [
    text.slice(matches[at - 1]?.[1] ?? 0, from),
    html`<mark>${text.slice(from, to)}</mark>`,
  ]);
  const marked = html`${pieces}${text.slice(matches.at(-1)?.[1] ?? 0)}`;
  return langOf(text) === undefined ? marked : html`<span lang="zh">${marked}</span>`;
}

/** A work in a {@link grid}. */
export interface Card {
  readonly href: string;
  readonly title: string;
  /** Words of a search, which are marked in the title. */
  readonly marked?: string;
  readonly cover: Omit<Cover, 'alt'>;
  /** A line below the title: author, year, rating. */
  readonly lines?: readonly Piece[];
}

/** A work as a link with cover and title. */
export function card({ href, title: whole, marked, cover: picture, lines = [] }: Card): Html {
  const title = shorten(whole, MAX_LISTED_NAME);
  return html`<article class="card">
    <a href="${href}"
      >${cover({ ...picture, name: title, alt: '' })}<span class="title"
        >${highlighted(title, marked)}</span
      ></a
    >
    ${lines.filter((line) => line !== undefined && line !== '' && line !== false).map((line) => html`<span class="by">${line}</span>`)}
  </article>`;
}

/** Number of cards that have columns of their own: as many as fit would leave one in a second row. */
const SIX = 6;

/** Cards in as many columns as fit; six in one row or two. @param large wide cards, for events and photos */
export const grid = (cards: readonly Piece[], large = false): Html =>
  html`<ul class="grid ${large ? 'large' : cards.length === SIX && 'six'}">
    ${cards.map((one) => html`<li>${one}</li>`)}
  </ul>`;

const STARS = 5;

/** Stars for a rating, to half a star. @param label says the rating in words, because stars are not read aloud well */
export function stars(value: number, max: number, label: string): Html {
  const halves = max > 0 ? Math.round((value / max) * STARS * 2) : 0;
  const full = Math.floor(halves / 2);
  const half = halves % 2;
  return html`<span class="stars" role="img" aria-label="${label}"
    >${'★'.repeat(full)}${half === 1 && html`<span class="half">☆</span>`}${'☆'.repeat(STARS - full - half)}</span
  >`;
}

/** An average rating with stars; a text if there are no ratings. */
export function rating(
  average: number,
  max: number,
  words: { readonly of: (value: string, max: number) => string; readonly none: string },
  big = false,
): Html {
  if (average <= 0) return html`<span class="soft">${words.none}</span>`;
  const value = average.toFixed(1);
  return html`<span class="rating ${big && 'big'}"
    ><b>${value}</b> ${stars(average, max, words.of(value, max))}</span
  >`;
}

/** Bars with the number of ratings by number of stars, from five to one. @param written formats a number */
export function ratingBars(
  rows: readonly { readonly stars: number; readonly count: number; readonly label: string }[],
  written: (count: number) => string = String,
): Html {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return html`<dl class="bars">
    ${rows.map(
      ({ stars: number, count, label }) =>
        html`<dt><span role="img" aria-label="${label}">${'★'.repeat(number)}</span></dt>
          <dd>
            <meter min="0" max="${total}" value="${count}" aria-label="${label}"></meter>
          </dd>
          <dd>${written(count)}</dd>`,
    )}
  </dl>`;
}
