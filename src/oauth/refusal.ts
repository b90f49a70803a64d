import { ApiError, type ErrorName } from '../api/errors/error-codes';

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

/** Replaces characters that RFC 6749 does not allow in a description. */
const asDescription = (text: string): string =>
  text.replace(/[`"\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');

/**
 * An error in both formats: `error` and `error_description` of RFC 6749, and the service's own
 * `msg` and `code` (D18).
 *
 * @param detail becomes `error_description` without the characters that RFC 6749 does not allow
 */
export function refusal(
  name: ErrorName,
  error: OauthError,
  detail: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): ApiError {
  return new ApiError(name, {
    detail,
    status: options.status ?? (error === 'invalid_client' ? 401 : 400),
    // `Cache-Control` is on every response below /service (RFC 6749, section 5.1).
    headers: { Pragma: 'no-cache', ...options.headers },
    members: { error, error_description: asDescription(detail) },
  });
}

/** The detail of error 105: the reason of the block and a contact (D120). */
export const blockedDetail = (application: {
  readonly blockedReason?: string;
  readonly blockedContact?: string;
}): string =>
  `the application is blocked; reason: ${application.blockedReason || 'none'}; ` +
  `contact: ${application.blockedContact || 'none'}`;

/** The error of a blocked application at the endpoints of the authorization server (D85). */
export const blockedClient = (client: Parameters<typeof blockedDetail>[0]): ApiError =>
  refusal('apikeyBlocked', 'unauthorized_client', blockedDetail(client));
