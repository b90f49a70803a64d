import { type Request } from 'express';
import { isSecure } from './client-address';
import { ApiError } from '../errors/errors';
import { isApiPath } from './request-context';
import { isOpen, type Route } from '../routing/route-table';

/** No `Authorization`, or an empty `Bearer`, is an anonymous caller (D12). */
export const isAnonymous = (authorization: string | undefined): boolean =>
  authorization === undefined || /^(bearer)?$/i.test(authorization.trim());

/**
 * Whether a request should have come over HTTPS and has not (D17): it carries a token, which is
 * then not even looked at, or it reaches what needs one or handles credentials.
 *
 * @param route what it reaches, if there is such a thing
 */
export function isExposed(request: Request, path: string, route: Route | undefined): boolean {
  const token = isApiPath(path) && !isAnonymous(request.headers.authorization);
  const needed = route !== undefined && (route.secure || !isOpen(route));
  return (token || needed) && !isSecure(request);
}

/** Error 100 (D17). */
export function httpsNeeded(): ApiError {
  return new ApiError('invalidRequestScheme', { detail: 'use HTTPS' });
}
