import { html, type Html, type Piece } from './html';
import { navLink, type NavLink } from './layout';

/**
 * Components of pages. They escape all texts. `/docs/design` shows each of them; their styles are in
 * `style/components.ts`.
 */

/** A message box. `error` and `good` are announced by screen readers; see also `flash` in `layout.ts`. */
export const notice = (kind: 'note' | 'good' | 'warn' | 'error', body: Piece): Html =>
  html`<div class="${kind}" ${kind === 'error' && html`role="alert"`}>${body}</div>`;

/** A short state such as "blocked" beside a name. */
export const badge = (text: Piece, kind?: 'good' | 'warn' | 'danger'): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

/** Tags and genres in pills, linked if they have a page. */
export const chips = (items: readonly { href?: string; label: Piece; count?: Piece }[]): Html =>
  html`<ul class="chips">
    ${items.map(({ href, label, count }) => {
      const content = html`${label}${count !== undefined && html` <small>${count}</small>`}`;
      return html`<li>
        ${href === undefined ? html`<span>${content}</span>` : html`<a href="${href}">${content}</a>`}
      </li>`;
    })}
  </ul>`;

/** Links between the views of one object. @param label name of the group for screen readers */
export const tabs = (label: string, links: readonly NavLink[]): Html =>
  html`<nav aria-label="${label}">
    <ul class="tabs">
      ${links.map((link) => html`<li>${navLink(link)}</li>`)}
    </ul>
  </nav>`;

/** A column of a table; `number` aligns its cells at the end. */
export interface Column {
  readonly title: Piece;
  readonly number?: boolean;
}

/** Options of a table. */
export interface TableOptions {
  /** Whether narrow screens show each row as a card, with the column title before each cell. */
  readonly isStacked?: boolean;
}

/** A table that scrolls within itself on narrow screens. @param label name for screen readers */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly Piece[])[],
  { isStacked = false }: TableOptions = {},
): Html {
  const kind = isStacked ? 'stacked' : columns.length < 4 && 'narrow';
  const attributes = columns.map(({ title, number }) => [
    number && html` class="number"`,
    isStacked && typeof title === 'string' && html` data-label="${title}"`,
  ]);
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}">
    <table ${kind && html`class="${kind}"`}>
      <thead>
        <tr>
          ${columns.map(({ title, number }) => html`<th scope="col" ${number && html`class="number"`}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, at) => html`<td${attributes[at]}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Code that scrolls within itself. It can be focused, so that the keyboard scrolls it, too. */
export const codeBlock = (code: string): Html => html`<pre tabindex="0"><code>${code}</code></pre>`;

/** Names with their values. Entries without a value are omitted. */
export const definitions = (entries: readonly (readonly [name: Piece, value: Piece])[]): Html =>
  html`<dl>
    ${entries
      .filter(([, value]) => value !== undefined && value !== '' && value !== false)
      .map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
  </dl>`;

/** Facts about a work, each with its name: rows in a panel, two columns on phones. */
export const facts = (
  entries: readonly (readonly [name: Piece, value: Piece, isLong?: boolean])[],
): Html =>
  html`<dl class="facts">
    ${entries
      .filter(([, value]) => value !== undefined && value !== '' && value !== false)
      .map(
        ([name, value, isLong = false]) =>
          html`<div ${isLong && html`class="long"`}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;

/** A box in the column beside a work. @param all a link to all of its elements */
export const panel = (
  title: Piece,
  content: Piece,
  all?: { readonly href: string; readonly label: Piece },
): Html =>
  html`<section class="panel">
    ${all ? sectionHead(title, all) : html`<h2>${title}</h2>`}${content}
  </section>`;

/** Small numbers with their names, in a row. */
export const counts = (entries: readonly (readonly [name: Piece, value: Piece])[]): Html =>
  html`<dl class="counts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** Large numbers with their names. */
export const stats = (entries: readonly (readonly [name: Piece, value: Piece])[]): Html =>
  html`<dl class="stats">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** The message of an empty list. @param way a link or button below it */
export const emptyState = (text: Piece, way?: Piece): Html =>
  html`<div class="empty">
    <p>${text}</p>
    ${way && html`<p>${way}</p>`}
  </div>`;

/** The heading of a section, with a link to all of its elements. */
export const sectionHead = (title: Piece, all?: { href: string; label: Piece }): Html =>
  html`<div class="section-head">
    <h2>${title}</h2>
    ${all && html`<a href="${all.href}">${all.label}</a>`}
  </div>`;

/** Breadcrumbs: links to the pages above a page, without the page itself. */
export const crumbs = (label: string, links: readonly NavLink[]): Html =>
  html`<nav class="crumbs" aria-label="${label}">
    ${links.map((link, at) => html`${at > 0 && ' › '}${navLink(link)}`)}
  </nav>`;

/** The position in a list, and the links to its other pages. */
export interface Pagination {
  readonly start: number;
  readonly count: number;
  readonly total: number;
  /** The address of the page that begins at an index. */
  readonly hrefOf: (start: number) => string;
  readonly words: {
    readonly label: string;
    readonly previous: string;
    readonly next: string;
    readonly position: (first: string, last: string, total: string) => string;
  };
  /** Formats numbers. */
  readonly number: (value: number) => string;
}

/** Links to the previous and next page of a list; nothing if it has a single page. */
export function pagination({ start, count, total, hrefOf, words, number }: Pagination): Piece {
  if (total <= count && start === 0) return undefined;
  const last = Math.min(start + count, total);
  const previous = Math.max(0, Math.min(start, total) - count);
  return html`<nav class="pages" aria-label="${words.label}">
    ${start > 0 && html`<a rel="prev" href="${hrefOf(previous)}">← ${words.previous}</a>`}
    <span class="soft"
      >${words.position(number(Math.min(start + 1, last)), number(last), number(total))}</span
    >
    ${last < total && html`<a rel="next" href="${hrefOf(last)}">${words.next} →</a>`}
  </nav>`;
}
