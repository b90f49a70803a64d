import { ApiError, type ErrorName } from '../api/errors/errors';

/** Errors of an authorization server (RFC 6749, sections 4.1.2.1 and 5.2). */
export type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'temporarily_unavailable';

/**
 * An error in both formats: `error` and `error_description` of RFC 6749, and the service's own
 * `msg` and `code` (D18).
 *
 * @param description ASCII without quotation marks and backslashes, as RFC 6749 requires
 */
export function refusal(
  name: ErrorName,
  error: OauthError,
  description: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): ApiError {
  return new ApiError(name, {
    detail: description,
    status: options.status ?? (error === 'invalid_client' ? 401 : 400),
    // `Cache-Control` is on every response below /service (RFC 6749, section 5.1).
    headers: { Pragma: 'no-cache', ...options.headers },
    members: { error, error_description: description },
  });
}
