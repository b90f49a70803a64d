import { html, type Html } from '../../web/html';
import { csrfField, layout, PATHS } from '../../web/layout';
import { type BrowserSession } from '../../accounts/browser-sessions.service';
import { hiddenField } from '../layout';
import { type ConsoleMessages } from '../messages';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';

/** The page of the one-time address for the first administrator. */
export function setupPage(session: BrowserSession, words: ConsoleMessages, key: string): Html {
  const texts = words.setup;
  const returnTo = withQuery(CONSOLE.setup, { key });
  const step =
    session.user === undefined
      ? html`<p>${texts.signInFirst}</p>
          <p class="buttons">
            <a class="button" href="${withQuery(PATHS.register, { return_to: returnTo })}"
              >${texts.register}</a
            >
            <a class="button quiet" href="${withQuery(PATHS.signIn, { return_to: returnTo })}"
              >${texts.signIn}</a
            >
          </p>`
      : html`<p>${texts.lead(session.user.uid)}</p>
          <form method="post" action="${CONSOLE.setup}">
            ${csrfField(session)}${hiddenField('key', key)}
            <button>${texts.button}</button>
          </form>`;
  return layout(
    { ...session, here: returnTo },
    texts.title,
    html`<h1>${texts.title}</h1>
      ${step}`,
  );
}
