import { type ServerResponse } from 'node:http';
import { type Response } from 'express';
import { type Html } from './html';

/** Exceptions from the default Content-Security-Policy that a page needs. */
export interface PageNeeds {
  /** Whether its form may redirect to an application. */
  readonly leadsAway?: boolean;
  /** Whether it has a script, which this service serves. */
  readonly hasScript?: boolean;
  /** Whether its script sends requests to this service. */
  readonly fetches?: boolean;
}

/**
 * Sets the security headers of pages, against framing, foreign scripts and access by other sites
 * (RFC 9700, section 4.16). Forms may only target this service, unless they lead to an application.
 * Browsers apply `form-action` to all redirects after a form, including those of the application.
 */
export function setPageHeaders(
  response: ServerResponse,
  { leadsAway = false, hasScript = false, fetches = false }: PageNeeds = {},
): void {
  response.appendHeader('Vary', 'Accept-Language, Cookie');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'` +
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

/** Redirects the browser with 303: the next request is a GET after any method. */
export function redirect(response: Response, to: string): void {
  setPageHeaders(response);
  // Express's `redirect` would re-encode some valid addresses.
  response.status(303).setHeader('Location', to).end();
}
