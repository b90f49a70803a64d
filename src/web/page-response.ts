import { type Response } from 'express';
import { type Html } from './html';

/** What a page needs that others must not have. */
export interface PageNeeds {
  /** Its form may end at an application. */
  readonly leadsAway?: boolean;
  /** It has a script, which is a file of this service. */
  readonly hasScript?: boolean;
}

/**
 * Headers of pages: nothing is kept, framed, scripted or read by other sites (RFC 9700, section
 * 4.16). Forms lead back here, but for those that may end at an application: browsers hold every
 * redirect after a form against the policy, also those that the application makes by itself.
 */
export function setPageHeaders(
  response: Response,
  { leadsAway = false, hasScript = false }: PageNeeds = {},
): void {
  response.append('Vary', 'Accept-Language, Cookie');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'` +
      (hasScript ? `; script-src 'self'; worker-src 'self'` : '') +
      (leadsAway ? '' : `; form-action 'self'`),
  );
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  // The API's own "no-referrer" would make browsers send forms with the origin "null".
  response.setHeader('Referrer-Policy', 'same-origin');
}

/** Writes a page. */
export function sendPage(
  response: Response,
  page: Html,
  { status = 200, ...needs }: PageNeeds & { status?: number } = {},
): void {
  setPageHeaders(response, needs);
  response.status(status).type('html').send(page.text);
}

/** Leads the browser elsewhere with a GET, whatever it came with. */
export function redirect(response: Response, to: string): void {
  setPageHeaders(response);
  // Not Express's own `redirect`: it rewrites what it takes for a badly encoded address.
  response.status(303).setHeader('Location', to).end();
}
