import { html, type Html, type Piece } from './html';
import { type Messages } from './messages.en';

/** Paths of the pages. */
export const PATHS = {
  style: '/service/style.css',
  challengeScript: '/service/challenge.js',
  signIn: '/service/sign-in',
  signOut: '/service/sign-out',
  register: '/service/register',
  account: '/service/account',
  developer: '/service/developer',
  authorize: '/service/auth2/auth',
} as const;

/** Name of the form field with the CSRF token. */
export const FORM_TOKEN = 'form_token';

/** The visitor's data that every page needs. */
export interface Visitor {
  readonly messages: Messages;
  /** Uid of the signed-in user. */
  readonly uid: string | undefined;
  readonly csrfToken: string;
}

/** The hidden field with the CSRF token, for every form. */
export const csrfField = ({ csrfToken: token }: Visitor): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${token}" />`;

function navigation(visitor: Visitor): Html {
  const { nav } = visitor.messages;
  const ends =
    visitor.uid === undefined
      ? html`<a href="${PATHS.signIn}">${nav.signIn}</a>`
      : html`<form method="post" action="${PATHS.signOut}">
          ${csrfField(visitor)}<button class="link">${nav.signOut(visitor.uid)}</button>
        </form>`;
  return html`<header>
    <strong><a href="/">Commonplace</a></strong>
    <a href="${PATHS.account}">${nav.account}</a>
    <a href="${PATHS.developer}">${nav.developer}</a>
    ${ends}
  </header>`;
}

/** A complete HTML page. */
export const layout = (visitor: Visitor, title: string, body: Piece): Html =>
  html`<!doctype html>
    <html lang="${visitor.messages.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Commonplace</title>
        <link rel="stylesheet" href="${PATHS.style}" />
      </head>
      <body>
        ${navigation(visitor)}
        <main>${body}</main>
      </body>
    </html>`;

/** An error or success message above a form. */
export const flash = (kind: 'error' | 'good', text: string | undefined): Html | undefined =>
  text === undefined
    ? undefined
    : html`<p class="${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`;
