import { type ServerResponse } from 'node:http';
import { type ApiError } from './error-codes';
import { prefersHtml } from '../http/prefers-html';
import { type RequestContext } from '../http/request-context';
import { renderBody, PROBLEM_TYPE } from '../http/rendered-body';

/** Maximum length of a detail; each character may take nine bytes in the header. */
const DETAIL_CHARACTERS = 200;

/** Encodes text for a header: printable ASCII, and all other bytes percent-encoded (D4). */
export function asciiHeader(text: string): string {
  return text
    .slice(0, DETAIL_CHARACTERS)
    .toWellFormed()
    .replace(/[^\x20-\x7e]+/g, (run) => encodeURIComponent(run));
}

/** The members of RFC 6749 for errors without them, such as an unreadable body. */
function oauthMembers(error: ApiError): Record<string, string> {
  const busy = error.status === 503 || error.status === 429;
  const ours = error.status >= 500 ? 'server_error' : 'invalid_request';
  return {
    error: busy ? 'temporarily_unavailable' : ours,
    error_description: asciiHeader(error.detail ?? error.row.msg).replace(/["\\]/g, "'"),
  };
}

/** Returns the `type` of problem documents of an error code (RFC 9457, section 3.1.1). */
export type ProblemType = (code: number) => string;

let problemType: ProblemType = (code) => `urn:commonplace:error:${code}`;

/** Sets the addresses of the pages that explain errors; without pages, types are URNs. */
export function setProblemType(type: ProblemType): void {
  problemType = type;
}

/**
 * The body of an error: with `detail` if the request asks for it (D45), and with the members of RFC
 * 9457 if it accepts them (D4).
 */
function errorBody(context: RequestContext, error: ApiError): Record<string, unknown> {
  const body = {
    ...(context.route?.oauthErrors ? oauthMembers(error) : {}),
    ...error.members,
    msg: error.row.msg,
    code: error.row.code,
    request: `${context.method} ${context.path}`,
  };
  const detail = error.detail === undefined ? {} : { detail: error.detail };
  if (!context.problem) return context.errorDetail ? { ...body, ...detail } : body;
  return {
    type: problemType(error.row.code),
    title: error.row.msg,
    status: error.status,
    ...detail,
    ...body,
  };
}

/** Headers of the representation that a handler was about to send. None of them is true of an error. */
const REPRESENTATION_HEADERS = [
  'ETag',
  'Last-Modified',
  'Expires',
  'Accept-Ranges',
  'Content-Range',
  'Content-Encoding',
  'Content-Disposition',
];

/** Removes what a handler has set for its own response. `no-store` is a property of the request. */
function removeRepresentationHeaders(response: ServerResponse): void {
  for (const name of REPRESENTATION_HEADERS) response.removeHeader(name);
  const isStored = !String(response.getHeader('Cache-Control') ?? '').includes('no-store');
  if (isStored) response.removeHeader('Cache-Control');
}

/** Writes status, body and further headers of an error as an HTML page. */
export type ErrorPage = (
  context: RequestContext,
  response: ServerResponse,
  error: ApiError,
) => void;

let errorPage: ErrorPage | undefined;

/** Sets the page of errors. This folder knows no templates; without a page, errors are JSON. */
export function setErrorPage(page: ErrorPage): void {
  errorPage = page;
}

/**
 * Writes an error in the context of its request: as JSON (D4, D6, D44), or as a page (D115).
 * @param page another page than the one of all errors
 */
export function writeError(
  context: RequestContext,
  response: ServerResponse,
  error: ApiError,
  page = errorPage,
): void {
  context.refusal = error;
  removeRepresentationHeaders(response);
  // RFC 6749, section 5.2, defines the errors of these routes as JSON.
  const alwaysJson = context.route?.oauthErrors === true;
  response.appendHeader('Vary', 'Accept');
  if (error.detail !== undefined) response.setHeader('X-Error-Detail', asciiHeader(error.detail));
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  const isPage = !alwaysJson && !context.suppressStatus && prefersHtml(response.req.headers.accept);
  if (page && isPage) {
    page(context, response, error);
    return;
  }
  const type = context.problem ? PROBLEM_TYPE : undefined;
  const { body, contentType } = renderBody(context, errorBody(context, error), type);
  response.statusCode = context.suppressStatus ? 200 : error.status;
  // A cache would store the error as a response.
  if (context.suppressStatus) response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
