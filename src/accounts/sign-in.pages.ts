import { CAPTCHA_ID, CAPTCHA_SOLUTION } from '../api/writes/captcha';
import { html, type Html } from '../web/html';
import { flash, csrfField, layout, PATHS, type Visitor } from '../web/layout';
import { type ChallengedAttempt } from './sign-in-limits';

/** The values of a form, and the fault of the previous attempt. */
export interface SignInForm {
  readonly uid: string;
  readonly returnTo: string;
  readonly fault?: string;
  /** The challenge of the next attempt; only on the sign-in page. */
  readonly next?: ChallengedAttempt;
}

/**
 * A challenge and the script that solves it. Without JavaScript the page shows the time to wait.
 *
 * @returns the markup above the form, and the hidden fields of the form
 */
function challengeParts(
  { messages }: Visitor,
  { challenge, seconds }: ChallengedAttempt,
): readonly [above: Html, within: Html] {
  const { signIn: words, error } = messages;
  const above = html`<div
      id="challenge"
      class="note"
      hidden
      data-script="${PATHS.challengeScript}"
      data-salt="${challenge.salt}"
      data-challenge="${challenge.challenge}"
      data-maxnumber="${challenge.maxnumber}"
      data-working="${words.challengeWorking}"
      data-ready="${words.challengeReady}"
      data-failed="${words.challengeFailed}"
    >
      <p>${words.challenge}</p>
      <p class="soft">
        <span id="challenge-state" role="status"></span>
        <progress id="challenge-progress" value="0"></progress>
      </p>
    </div>
    <noscript>
      <p class="error" role="alert">${error.tooMany(seconds)} ${words.challengeNoScript}</p>
    </noscript>
    <script src="${PATHS.challengeScript}" defer></script>`;
  const within = html`<input type="hidden" name="${CAPTCHA_ID}" value="${challenge.captcha_id}" />
    <input type="hidden" name="${CAPTCHA_SOLUTION}" value="" />`;
  return [above, within];
}

const returnField = (returnTo: string): Html =>
  html`<input type="hidden" name="return_to" value="${returnTo}" />`;

const link = (path: string, returnTo: string): string =>
  `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** The sign-in page. */
export function signInPage(visitor: Visitor, form: SignInForm): Html {
  const words = visitor.messages.signIn;
  const [challenge, solution] = form.next ? challengeParts(visitor, form.next) : [];
  return layout(
    { ...visitor, here: link(PATHS.signIn, form.returnTo) },
    words.title,
    html`<h1>${words.title}</h1>
      ${flash('error', form.fault)}${challenge}
      <form id="sign-in" method="post" action="${PATHS.signIn}">
        ${csrfField(visitor)}${returnField(form.returnTo)}${solution}
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
          ${form.next && html`autofocus`}
        />
        <button>${words.button}</button>
      </form>
      <p>${words.first} <a href="${link(PATHS.register, form.returnTo)}">${words.register}</a></p>`,
  );
}

/** The registration page. */
export function registerPage(visitor: Visitor, form: SignInForm): Html {
  const words = visitor.messages.register;
  return layout(
    { ...visitor, here: link(PATHS.register, form.returnTo) },
    words.title,
    html`<h1>${words.title}</h1>
      ${flash('error', form.fault)}
      <form method="post" action="${PATHS.register}">
        ${csrfField(visitor)}${returnField(form.returnTo)}
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
