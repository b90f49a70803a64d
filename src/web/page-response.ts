import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Response } from 'express';
import { compress, encodingFor } from '../api/http/content-encoding';
import { entityTag, matchesTag } from '../api/http/entity-tag';
import { RenderedBody, RenderedBytes, toBytes } from '../api/http/rendered-body';
import { type Representations } from '../api/resources/etag-compression.interceptor';
import { type Html } from './html';
import { PATHS } from './layout';

/** Exceptions from the default Content-Security-Policy that a page needs. */
export interface PageNeeds {
  /** Whether its form may redirect to an application. */
  readonly leadsAway?: boolean;
  /** Whether it has a script, which this service serves. */
  readonly hasScript?: boolean;
  /** Whether its script sends requests to this service. */
  readonly fetches?: boolean;
  /** Origin of pictures, without a path; then it may also show those of other sites over HTTPS. */
  readonly mediaOrigin?: string;
}

/**
 * Sets the security headers of pages, against framing, foreign scripts and access by other sites
 * (RFC 9700, section 4.16). Forms may only target this service, unless they lead to an application.
 * Browsers apply `form-action` to all redirects after a form, including those of the application.
 */
export function setPageHeaders(
  response: ServerResponse,
  { leadsAway = false, hasScript = false, fetches = false, mediaOrigin }: PageNeeds = {},
): void {
  response.appendHeader('Vary', 'Accept-Language, Cookie');
  const pictures = mediaOrigin === undefined ? '' : ` ${mediaOrigin} https:`;
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src 'self'${pictures}; frame-ancestors 'none'; base-uri 'none'` +
      (hasScript ? `; script-src 'self'; worker-src 'self'` : '') +
      (fetches ? `; connect-src 'self'` : '') +
      (leadsAway ? '' : `; form-action 'self'`),
  );
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  // With the API's "no-referrer", browsers would send forms with the origin "null".
  response.setHeader('Referrer-Policy', 'same-origin');
}

/** Sends a page. */
export function sendPage(
  response: Response,
  page: Html,
  { status = 200, ...needs }: PageNeeds & { status?: number } = {},
): void {
  setPageHeaders(response, needs);
  response.status(status).type('html').send(page.text);
}

/** Sends a page without session and forms. It keeps the default headers, with which it may run scripts. */
export function sendPublicPage(response: Response, page: Html): void {
  response.append('Vary', 'Accept-Language, Cookie');
  response.type('html').send(page.text);
}

/** Type of the bodies of pages. */
export const HTML_TYPE = 'text/html; charset=utf-8';

/** Sends a body with an entity tag, compressed if the client accepts it; 304 if it has it already. */
export async function sendRepresentation(
  request: IncomingMessage,
  response: ServerResponse,
  available: Representations,
): Promise<void> {
  const encoding = encodingFor(request, available.byteLength);
  const tag = available.tagOf(encoding);
  response.appendHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', tag);
  if (matchesTag(request.headers['if-none-match'], tag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const rendered = toBytes(await available.bodyOf(encoding));
  response.setHeader('Content-Type', rendered.contentType);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', rendered.byteLength);
  if (rendered instanceof RenderedBytes) response.end(rendered.buffer);
  else if (rendered instanceof RenderedBody) response.end(rendered.body);
  else response.end(Buffer.concat(rendered.pieces));
}

/** Sends a text as {@link sendRepresentation} does. */
export function sendCacheable(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  contentType: string,
): Promise<void> {
  const body = new RenderedBody(text, contentType);
  return sendRepresentation(request, response, {
    byteLength: body.byteLength,
    tagOf: (encoding) => entityTag(body, encoding),
    bodyOf: (encoding) => (encoding === undefined ? body : compress(body, encoding)),
  });
}

/**
 * Sets the headers of a page without session, which depends on the language alone. Caches may store
 * it, and must ask whether it is still current, so that hidden and deleted content disappears at
 * once.
 * @param mediaOrigin address of the pictures of this service; catalogues also have pictures
 *   elsewhere
 */
export function setCatalogHeaders(response: ServerResponse, mediaOrigin: string): void {
  setPageHeaders(response, { mediaOrigin });
  response.setHeader('Cache-Control', 'no-cache');
}

/**
 * Maximum length of an address to redirect to. Sign-in pages with an address to return to are
 * shorter. Proxies limit the headers of a response; those in `deploy/` accept 64 KB.
 */
const MAX_LOCATION_LENGTH = 50_000;

/**
 * Redirects the browser with 303: the next request is a GET after any method. If the address is
 * longer than {@link MAX_LOCATION_LENGTH}, the home page is the target.
 */
export function redirect(response: Response, to: string): void {
  setPageHeaders(response);
  // Express's `redirect` would re-encode some valid addresses.
  const target = to.length > MAX_LOCATION_LENGTH ? PATHS.home : to;
  response.status(303).setHeader('Location', target).end();
}
