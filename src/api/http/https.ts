import { type Request } from 'express';
import { isSecure } from './client-address';
import { ApiError } from '../errors/error-codes';
import { isApiPath } from './request-context';
import { isOpen, type Route } from '../routing/route-table';

/** No `Authorization`, or an empty `Bearer`, is an anonymous caller (D12). */
export const isAnonymous = (authorization: string | undefined): boolean =>
  authorization === undefined || /^(bearer)?$/i.test(authorization.trim());

/**
 * Whether a request over plain HTTP requires HTTPS (D17). It does if it has a token, which the
 * service then ignores, or if its route needs a token or handles credentials.
 *
 * @param route the matching route, if any
 */
export function isExposed(request: Request, path: string, route: Route | undefined): boolean {
  const token = isApiPath(path) && !isAnonymous(request.headers.authorization);
  const needed = route !== undefined && (route.secure || !isOpen(route));
  return (token || needed) && !isSecure(request);
}

/** Error 100 (D17). */
export function httpsNeeded(): ApiError {
  return new ApiError('invalidRequestScheme', { detail: 'this request requires HTTPS' });
}
