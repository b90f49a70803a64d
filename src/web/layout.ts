import { html, type Html, type Piece } from './html';
import { LANGUAGES } from './language';
import { type Messages } from './messages.en';

/** Paths of the pages. */
export const PATHS = {
  home: '/',
  docs: '/docs',
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

/** The hidden field with the CSRF token, for every form. */
export const csrfField = ({ csrfToken: token }: Visitor): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${token}" />`;

function session(visitor: Visitor): Html {
  const { nav } = visitor.messages;
  if (visitor.uid === undefined) return html`<a href="${PATHS.signIn}">${nav.signIn}</a>`;
  return html`<form method="post" action="${PATHS.signOut}">
    ${csrfField(visitor)}<button class="link">${nav.signOut(visitor.uid)}</button>
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

/** The header of every page. A page that does not read the session shows no sign-in link. */
export function pageHeader(reader: Reader | Visitor): Html {
  const { nav } = reader.messages;
  return html`<header class="site">
    <strong><a href="${PATHS.home}">Commonplace</a></strong>
    <a href="${PATHS.account}">${nav.account}</a>
    <a href="${PATHS.developer}">${nav.developer}</a>
    <a href="${PATHS.docs}">${nav.docs}</a>
    ${'csrfToken' in reader && session(reader)} ${languageSwitch(reader)}
  </header>`;
}

/** A complete HTML document. @param head elements after the title */
export const htmlDocument = ({ messages }: Reader, title: string, head: Piece, body: Piece): Html =>
  html`<!doctype html>
    <html lang="${messages.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;

/** A page with the header, which search engines do not index. */
export const layout = (reader: Reader | Visitor, title: string, body: Piece): Html =>
  htmlDocument(
    reader,
    `${title} · Commonplace`,
    html`<meta name="robots" content="noindex" /> <link rel="stylesheet" href="${PATHS.style}" />`,
    html`${pageHeader(reader)}
      <main>${body}</main>`,
  );

/** An error or success message above a form. */
export const flash = (kind: 'error' | 'good', text: string | undefined): Html | undefined =>
  text === undefined
    ? undefined
    : html`<p class="${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`;
