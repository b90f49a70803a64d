import { type ApiError } from '../../api/errors/errors';
import { FORM_TOKEN } from '../../web/layout';
import { flash } from '../../web/layout';
import { html, type Html } from '../../web/html';
import { consolePage, hiddenField } from '../layout';
import { CONSOLE } from '../paths';
import { type ConsoleVisit } from './console-sessions.service';

/** Name of the field with the password that confirms a step. */
export const CONFIRM_PASSWORD = 'confirm_password';

/** The fields of a form, except those that the confirmation page adds. */
function repeatedFields(body: unknown): Html[] {
  return Object.entries((body ?? {}) as Record<string, unknown>)
    .filter(([name]) => name !== CONFIRM_PASSWORD && name !== FORM_TOKEN)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? (value as unknown[]) : [value])
        .filter((one) => typeof one === 'string')
        .map((one) => hiddenField(name, one)),
    );
}

/** Asks for the password and then repeats the form. @param wrong whether a password was wrong */
export function confirmPage(visit: ConsoleVisit, wrong: boolean): Html {
  const { words, request } = visit;
  return consolePage(
    visit,
    { title: words.confirm.title },
    html`<h1>${words.confirm.title}</h1>
      ${flash('error', wrong ? words.confirm.wrong : undefined)}
      <p>${words.confirm.lead}</p>
      <form method="post" action="${request.originalUrl}">
        ${hiddenField(FORM_TOKEN, visit.csrfToken)}${repeatedFields(request.body)}
        <label for="confirm">${words.confirm.password}</label>
        <input
          type="password"
          id="confirm"
          name="${CONFIRM_PASSWORD}"
          autocomplete="current-password"
          required
          autofocus
        />
        <button>${words.confirm.button}</button>
      </form>`,
  );
}

/** Explains why an operation is not possible. */
export function failurePage(visit: ConsoleVisit, error: ApiError): Html {
  const { words } = visit;
  const back = visit.request.headers.referer;
  const path =
    back !== undefined && URL.canParse(back) ? new URL(back).pathname : String(CONSOLE.today);
  return consolePage(
    visit,
    { title: words.failure.title },
    html`<h1>${words.failure.title}</h1>
      <p class="error" role="alert">${error.detail ?? error.message}</p>
      <p>
        <a class="button" href="${path.startsWith(CONSOLE.today) ? path : CONSOLE.today}"
          >${words.failure.back}</a
        >
      </p>`,
  );
}
