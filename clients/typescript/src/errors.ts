import type { Error as ErrorBody } from './schema';

/** Any failure that this client reports. */
export class CommonplaceError extends Error {}

/** The service did not respond: no connection, or a broken one. `cause` has the reason. */
export class NetworkError extends CommonplaceError {}

/**
 * The service did not respond within `timeout` milliseconds, or another tab did not finish its
 * refresh of the tokens.
 */
export class TimeoutError extends CommonplaceError {}

/** A 2xx response has an invalid body, such as an HTML page of a proxy, or a write was redirected. */
export class InvalidResponseError extends CommonplaceError {}

/** The user denied access, or the response to an authorization request is invalid. */
export class SignInError extends CommonplaceError {}

/** The service responded with an error. */
export class ApiError extends CommonplaceError {
  /** Number of the error, such as 6000; 0 if the body is no error of the service. */
  readonly code: number;
  /** Specific reason, in English, from the header `X-Error-Detail`. */
  readonly detail: string;
  /** Method and path of the request. */
  readonly request: string;
  readonly status: number;
  /** For the operator of the service; empty if the response has none. */
  readonly requestId: string;
  /** Code of RFC 6749, such as `invalid_grant`; empty unless the token endpoint responded. */
  readonly oauthError: string;
  /** Seconds after which the request can be repeated; undefined if the response has none. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly response: Response,
    body: Partial<ErrorBody & { readonly error: string }>,
  ) {
    const detail = decoded(response.headers.get('X-Error-Detail')) ?? body.detail ?? '';
    const { status } = response;
    super(`${body.msg ?? status}${detail === '' ? '' : `: ${detail}`}`);
    this.code = body.code ?? 0;
    this.detail = detail;
    this.request = body.request ?? '';
    this.status = status;
    this.oauthError = body.error ?? '';
    this.requestId = response.headers.get('X-Request-Id') ?? '';
    this.retryAfter = retryAfterOf(response);
  }
}

/** 400, 409 and 422: a parameter or the body is invalid, or the request conflicts with another. */
export class RequestError extends ApiError {}
/** 401: the access token or the API key is invalid. */
export class AuthenticationError extends ApiError {}
/** 403: the caller lacks a scope, a tier, a role or the ownership of the content. */
export class PermissionError extends ApiError {}
/** 403 with 1007: the write requires the solution of a challenge of `/v2/captcha`. */
export class CaptchaError extends PermissionError {}
/** 404: the object does not exist, or the caller may not see it. */
export class NotFoundError extends ApiError {}
/** 429: a limit is exceeded. */
export class RateLimitError extends ApiError {}
/** 5xx: the service failed, or is temporarily unavailable. */
export class ServerError extends ApiError {}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  429: RateLimitError,
};

/** The text of a header whose characters outside ASCII are percent-encoded. */
function decoded(text: string | null): string | undefined {
  try {
    return text === null ? undefined : decodeURIComponent(text);
  } catch {
    return text ?? undefined;
  }
}

/** The three formats of RFC 9110, section 5.6.7; `Date` also reads other texts, such as `1.5`. */
const HTTP_DATE =
  /^[A-Z][a-z]+(?:, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT| [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/** Seconds of `Retry-After`, which has seconds or a date; undefined for other values or none. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return undefined;
  // The third format has no time zone.
  const time = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : Math.max(0, (time - Date.now()) / 1000);
}

/** The types of the members of an error. */
const MEMBER_TYPES = {
  msg: 'string',
  code: 'number',
  request: 'string',
  detail: 'string',
  error: 'string',
};

/** The members of an error that have the right type; none if the body is not a JSON object. */
async function errorBodyOf(response: Response): Promise<Partial<ErrorBody>> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => typeof value === MEMBER_TYPES[name as keyof typeof MEMBER_TYPES],
    ),
  );
}

/** The error of a response whose status is not 2xx. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = await errorBodyOf(response);
  const { status } = response;
  const fallback = status >= 500 ? ServerError : RequestError;
  const type = body.code === 1007 ? CaptchaError : (CLASSES[status] ?? fallback);
  return new type(response, body);
}
