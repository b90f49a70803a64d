import { type ServerResponse } from 'node:http';
import { type ApiError } from '../api/errors/error-codes';
import { isServicePath, type RequestContext } from '../api/http/request-context';
import { html, type Html } from './html';
import { layout, PATHS, type Reader } from './layout';
import { type Messages } from './messages.en';
import { HTML_TYPE, setPageHeaders } from './page-response';
import { readerOf } from './reader';

/** Errors of pages that need an explanation of their own. */
const SPECIAL = new Set(['invalidRequestSource', 'invalidRequestScheme', 'wrongMethod']);

function titleOf({ error: { titles } }: Messages, { error, status }: ApiError): string {
  if (status === 404) return titles.notFound;
  if (status === 410) return titles.gone;
  if (status === 429) return titles.tooMany;
  if (status === 503) return titles.busy;
  if (status >= 500) return titles.internal;
  if (SPECIAL.has(error)) return titles.other;
  return status === 401 || status === 403 ? titles.forbidden : titles.other;
}

/** The sentence about an error in the language of the page. */
function explain(
  { error: words }: Messages,
  { error, status, headers }: ApiError,
  { method, path }: RequestContext,
): string {
  const seconds = Number(headers['Retry-After'] ?? 60);
  switch (error) {
    case 'invalidRequestSource':
      return words.expired;
    case 'invalidRequestScheme':
      return words.https;
    case 'wrongMethod':
      return words.wrongMethod(method, headers.Allow ?? '');
    default:
  }
  switch (status) {
    case 401:
      return words.unauthorized;
    case 403:
      return words.forbidden;
    case 404:
      return words.notFound;
    case 410:
      return words.gone;
    case 429:
      return isServicePath(path) ? words.tooMany(seconds) : words.limit(seconds);
    case 500:
      return words.internal;
    case 503:
      return words.busy;
    default:
      return words.other;
  }
}

/** The title of an error, and the sentence about it, in the language of the page. */
export const errorTexts = (
  messages: Messages,
  context: RequestContext,
  error: ApiError,
): readonly [title: string, sentence: string] => [
  titleOf(messages, error),
  explain(messages, error, context),
];

/** Sends the text of an error page with its status. */
export function endErrorPage(response: ServerResponse, { text }: Html, status: number): void {
  setPageHeaders(response);
  response.statusCode = status;
  response.setHeader('Content-Type', HTML_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

function errorPage(reader: Reader, context: RequestContext, error: ApiError): Html {
  const { messages } = reader;
  const words = messages.error;
  const [title, sentence] = errorTexts(messages, context, error);
  return layout(
    reader,
    title,
    html`<h1>${title}</h1>
      <p class="error" role="alert">${sentence}</p>
      <dl>
        <dt>${words.status}</dt>
        <dd>${error.status}</dd>
        <dt>${words.code}</dt>
        <dd>${error.row.code} <code>${error.row.msg}</code></dd>
        ${
          error.detail !== undefined &&
          html`<dt>${words.details}</dt>
            <dd lang="en">${error.detail}</dd>`
        }
        <dt>${words.requestId}</dt>
        <dd><code>${context.id}</code></dd>
      </dl>
      <p class="ways">
        <a href="${PATHS.home}">${words.home}</a> <a href="${PATHS.docs}">${words.docs}</a>
      </p>`,
  );
}

/** Writes an error as a page (D115). It needs no session and no Express. */
export function writeErrorPage(
  context: RequestContext,
  response: ServerResponse,
  error: ApiError,
): void {
  endErrorPage(response, errorPage(readerOf(response.req), context, error), error.status);
}
