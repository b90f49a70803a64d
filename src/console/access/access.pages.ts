import { CONFIRM_PASSWORD, confirmPasswordField } from '../../accounts/password-confirmation';
import { type ApiError } from '../../api/errors/error-codes';
import { FORM_TOKEN } from '../../web/layout';
import { flash } from '../../web/layout';
import { html, type Html } from '../../web/html';
import { errorTexts } from '../../web/error-page';
import { withQuery } from '../../web/with-query';
import { type ApiRequest } from '../../api/http/request-context';
import { consolePage, hiddenField } from '../layout';
import { problemText } from '../messages/problems';
import { CONSOLE } from '../paths';
import { type ConsoleSession } from './console-sessions.service';

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
export function confirmPage(session: ConsoleSession, wrong: boolean): Html {
  const { words, request } = session;
  return consolePage(
    session,
    { title: words.confirm.title },
    html`<h1>${words.confirm.title}</h1>
      ${flash('error', wrong ? words.confirm.wrong : undefined)}
      <p>${words.confirm.lead}</p>
      <form method="post" action="${request.originalUrl}">
        ${hiddenField(FORM_TOKEN, session.csrfToken)}${repeatedFields(request.body)}
        ${confirmPasswordField(words.confirm.password, { required: true })}
        <button>${words.confirm.button}</button>
      </form>`,
  );
}

/** Name of the field that confirms a permanent deletion. */
export const SURE = 'sure';

/** Asks to confirm a permanent deletion; confirming sends the form again. */
export function permanentPage(session: ConsoleSession): Html {
  const { words, request } = session;
  const texts = words.permanent;
  const back = formPage(request) ?? listOf(session, request.context.path).href;
  return consolePage(
    session,
    { title: texts.title },
    html`<h1>${texts.title}</h1>
      <p class="warn">${texts.lead}</p>
      <form method="post" action="${request.originalUrl}">
        ${hiddenField(FORM_TOKEN, session.csrfToken)}${repeatedFields(request.body)}
        ${hiddenField(SURE, 'yes')}
        <div class="buttons">
          <button class="danger">${texts.button}</button>
          <a class="button quiet" href="${back}">${texts.cancel}</a>
        </div>
      </form>`,
  );
}

/** Errors that the details explain better than a sentence about the status. */
const EXPLAINED: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** The list to which a path of the console belongs, with its name. */
function listOf({ words }: ConsoleSession, path: string): { href: string; label: string } {
  const [[name, href] = ['today', CONSOLE.today]] = Object.entries<string>(CONSOLE)
    .filter(([, one]) => path === one || path.startsWith(`${one}/`))
    .sort(([, one], [, other]) => other.length - one.length);
  const type = /^\/admin\/catalogue\/(\w+)/.exec(path)?.[1];
  const labels: Readonly<Record<string, unknown>> = { ...words.lists, ...words.areas };
  const label = labels[name];
  return {
    href: withQuery(href, { type }),
    label: typeof label === 'string' ? label : words.areas.today,
  };
}

/** The page of the console that sent a form. */
function formPage({ method, context, headers: { referer } }: ApiRequest): string | undefined {
  if (method === 'GET' || referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  // The page that asked for the password has the address of the form itself, which may have no page.
  const isForm = pathname === context.path;
  return !isForm && /^\/admin(\/|$)/.test(pathname) ? `${pathname}${search}` : undefined;
}

/** Explains an error, with links to the form and to the list of the area. */
export function failurePage(session: ConsoleSession, error: ApiError): Html {
  const { words, messages, request } = session;
  const { context } = request;
  const { failure } = words;
  const { detail = '', status, row } = error;
  const [title, sentence] = errorTexts(messages, context, error);
  const isExplained = EXPLAINED.has(status) && detail !== '';
  const explanation = isExplained ? problemText(messages.lang, detail) : sentence;
  const heading = status === 404 ? title : isExplained ? failure.title : title;
  const form = formPage(request);
  const list = listOf(session, context.path);
  return consolePage(
    session,
    { title: heading },
    html`<h1>${heading}</h1>
      <p class="error" role="alert" ${explanation === detail && html`lang="en"`}>${explanation}</p>
      <p class="ways">
        ${form !== undefined && html`<a class="button" href="${form}">${failure.back}</a>`}
        <a class="button quiet" href="${list.href}">${list.label}</a>
      </p>
      <p class="soft small">
        ${messages.error.status} ${status} · ${messages.error.code} ${row.code} ·
        ${messages.error.requestId} <code>${context.id}</code>
      </p>`,
  );
}
