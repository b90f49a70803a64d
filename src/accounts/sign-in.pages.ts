import { html, type Html } from '../web/html';
import { flash, formToken, layout, PATHS, type Visitor } from '../web/layout';

/** What a form shows again after a fault. */
export interface SignInForm {
  readonly uid: string;
  readonly returnTo: string;
  readonly fault?: string;
}

const returnField = (returnTo: string): Html =>
  html`<input type="hidden" name="return_to" value="${returnTo}" />`;

const link = (path: string, returnTo: string): string =>
  `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** The page to sign in on. */
export function signInPage(visitor: Visitor, form: SignInForm): Html {
  const words = visitor.messages.signIn;
  return layout(
    visitor,
    words.title,
    html`<h1>${words.title}</h1>
      ${flash('error', form.fault)}
      <form method="post" action="${PATHS.signIn}">
        ${formToken(visitor)}${returnField(form.returnTo)}
        <label for="uid">${words.uid}</label>
        <input
          type="text"
          id="uid"
          name="uid"
          value="${form.uid}"
          required
          maxlength="200"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
        />
        <label for="password">${words.password}</label>
        <input
          type="password"
          id="password"
          name="password"
          required
          autocomplete="current-password"
        />
        <button>${words.button}</button>
      </form>
      <p>${words.first} <a href="${link(PATHS.register, form.returnTo)}">${words.register}</a></p>`,
  );
}

/** The page to make an account on. */
export function registerPage(visitor: Visitor, form: SignInForm): Html {
  const words = visitor.messages.register;
  return layout(
    visitor,
    words.title,
    html`<h1>${words.title}</h1>
      ${flash('error', form.fault)}
      <form method="post" action="${PATHS.register}">
        ${formToken(visitor)}${returnField(form.returnTo)}
        <label for="uid">${words.uid}<small id="uid-hint">${words.uidHint}</small></label>
        <input
          type="text"
          id="uid"
          name="uid"
          value="${form.uid}"
          required
          minlength="2"
          maxlength="30"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
        />
        <label for="password">${words.password}<small>${words.passwordHint}</small></label>
        <input
          type="password"
          id="password"
          name="password"
          required
          minlength="8"
          autocomplete="new-password"
        />
        <button>${words.button}</button>
      </form>
      <p>${words.have} <a href="${link(PATHS.signIn, form.returnTo)}">${words.signIn}</a></p>`,
  );
}
