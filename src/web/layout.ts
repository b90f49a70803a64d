import { html, type Html, type Piece } from './html';
import { LANGUAGES } from './language';
import { MARK, NAME, SEARCH_ICON } from './brand';
import { type Messages } from './messages.en';
import { STYLE } from './style/style';

/** Paths of the pages. */
export const PATHS = {
  home: '/',
  search: '/search',
  books: '/book/',
  movies: '/movie/',
  events: '/event/list',
  docs: '/docs',
  design: '/docs/design',
  favicon: '/favicon.svg',
  style: '/service/style.css',
  challengeScript: '/service/challenge.js',
  language: '/service/language',
  signIn: '/service/sign-in',
  signOut: '/service/sign-out',
  register: '/service/register',
  account: '/service/account',
  developer: '/service/developer',
  authorize: '/service/auth2/auth',
} as const;

/** Name of the form field with the CSRF token. */
export const FORM_TOKEN = 'form_token';

/** Data that every page needs. */
export interface Reader {
  readonly messages: Messages;
  /** Path and query to which the language switch returns. */
  readonly here: string;
}

/** The reader of a page that knows the browser session. */
export interface Visitor extends Reader {
  /** Uid of the signed-in user. */
  readonly uid: string | undefined;
  readonly csrfToken: string;
}

/** A link of a navigation. */
export interface NavLink {
  readonly href: string;
  readonly label: Piece;
  /** Whether it leads to the present page. */
  readonly current?: boolean;
}

/** A titled group of links in a side navigation. */
export interface NavGroup {
  readonly title?: string;
  readonly links: readonly NavLink[];
}

/** How a page is laid out; see `/docs/design`. */
export interface PageOptions {
  /** Title without the name of the service. */
  readonly title: string;
  /** Whether search engines may index the page. Such a page states its address and description in `head`. */
  readonly indexed?: boolean;
  /** Elements for `<head>`: description, canonical address, structured data, further style sheets. */
  readonly head?: Piece;
  /** The area in the header that the page belongs to: one of {@link PATHS}. */
  readonly area?: string;
  /** Content as wide as the header instead of the width of running text. */
  readonly wide?: boolean;
  /** Navigation beside the content: pages of the documentation and of the console. */
  readonly side?: readonly NavGroup[];
  /** Whether the content has the search field, so that the header has none. */
  readonly hasSearchField?: boolean;
}

/** The hidden field with the CSRF token, for every form. */
export const csrfField = ({ csrfToken: token }: Visitor): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${token}" />`;

/** A link that names the present page with `aria-current`. */
export const navLink = ({ href, label, current = false }: NavLink): Html =>
  html`<a href="${href}" ${current && html`aria-current="page"`}>${label}</a>`;

function session(reader: Reader | Visitor): Html {
  const { nav } = reader.messages;
  if (!('csrfToken' in reader)) return html`<a href="${PATHS.account}">${nav.myAccount}</a>`;
  if (reader.uid === undefined) return html`<a href="${PATHS.signIn}">${nav.signIn}</a>`;
  return html`<form method="post" action="${PATHS.signOut}">
    ${csrfField(reader)}<button class="link">${nav.signOut(reader.uid)}</button>
  </form>`;
}

/** Links instead of a form, because `form-action` would apply to the page that they return to. */
function languageSwitch({ messages, here }: Reader): Html {
  const links = [...LANGUAGES.values()].map(({ lang, name }) => {
    if (lang === messages.lang)
      return html`<span lang="${lang}" aria-current="true">${name}</span>`;
    const query = new URLSearchParams({ to: lang, return_to: here }).toString();
    const address = `${PATHS.language}?${query}`;
    return html`<a href="${address}" lang="${lang}" hreflang="${lang}" rel="nofollow">${name}</a>`;
  });
  return html`<nav class="languages" aria-label="${messages.nav.language}">${links}</nav>`;
}

const searchField = (nav: Messages['nav']): Html =>
  html`<form class="search" role="search" action="${PATHS.search}">
    <label class="hidden" for="site-search">${nav.search}</label>
    <input type="search" id="site-search" name="q" placeholder="${nav.searchHint}" />
    <button><span class="hidden">${nav.search}</span>${SEARCH_ICON}</button>
  </form>`;

/** The header of every page: name, areas, search field, account. */
export function pageHeader(
  reader: Reader | Visitor,
  { area, hasSearchField = false }: Partial<PageOptions> = {},
): Html {
  const { nav } = reader.messages;
  const areas = [
    [PATHS.books, nav.books],
    [PATHS.movies, nav.movies],
    [PATHS.events, nav.events],
    [PATHS.docs, nav.docs],
  ] as const;
  return html`<a class="skip" href="#main">${nav.skip}</a>
    <header class="site">
      <div class="bar">
        <a class="name" href="${PATHS.home}">${MARK}${NAME}</a>
        <nav class="areas" aria-label="${nav.areas}">
          ${areas.map(([href, label]) => navLink({ href, label, current: href === area }))}
        </nav>
        ${!hasSearchField && searchField(nav)}
        <div class="session">${session(reader)}</div>
      </div>
    </header>`;
}

/** The footer of every page, with the language switch. */
export function pageFooter(reader: Reader): Html {
  const { nav, front } = reader.messages;
  return html`<footer class="site">
    <div class="bar">
      <p>${front.lead}</p>
      <nav aria-label="${nav.service}">
        <a href="${PATHS.developer}">${nav.developer}</a>
        <a href="${PATHS.account}">${nav.account}</a>
        <a href="/v2/openapi.json">OpenAPI</a>
        <a href="${PATHS.design}">${nav.design}</a>
      </nav>
      ${languageSwitch(reader)}
    </div>
  </footer>`;
}

/** A complete HTML document. @param head elements after the title */
export const htmlDocument = ({ messages }: Reader, title: string, head: Piece, body: Piece): Html =>
  html`<!doctype html>
    <html lang="${messages.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="${PATHS.favicon}" type="image/svg+xml" />
        <meta name="theme-color" content="#fbf9f5" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#141719" media="(prefers-color-scheme: dark)" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;

/** The navigation beside the content; above it on narrow screens. */
const sideNav = (reader: Reader, groups: readonly NavGroup[]): Html =>
  html`<nav class="side" aria-label="${reader.messages.nav.side}">
    ${groups.map(
      ({ title, links }) =>
        html`${title !== undefined && html`<h2>${title}</h2>`}
          <ul>
            ${links.map((link) => html`<li>${navLink(link)}</li>`)}
          </ul>`,
    )}
  </nav>`;

/**
 * A page with header and footer, in one of these layouts: running text, `wide`, or with `side`
 * navigation. Search engines index it only if it says so.
 */
export function page(reader: Reader | Visitor, options: PageOptions, body: Piece): Html {
  const { title, head, indexed = false, side, wide = false } = options;
  const main = html`<main id="main" ${wide && html`class="wide"`}>${body}</main>`;
  return htmlDocument(
    reader,
    title === NAME ? title : `${title} · ${NAME}`,
    html`${!indexed && html`<meta name="robots" content="noindex" />`}
      <link rel="stylesheet" href="${STYLE.address}" />${head}`,
    html`${pageHeader(reader, options)}
    ${side ? html`<div class="with-side">${sideNav(reader, side)}${main}</div>` : main}
    ${pageFooter(reader)}`,
  );
}

/** A page of running text or a form, which search engines do not index. */
export const layout = (reader: Reader | Visitor, title: string, body: Piece): Html =>
  page(reader, { title }, body);

/** An error or success message above a form. */
export const flash = (kind: 'error' | 'good', text: string | undefined): Html | undefined =>
  text === undefined
    ? undefined
    : html`<p class="${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`;
