/** An error code: the members of the body, and its HTTP status. */
export interface ErrorRow {
  readonly code: number;
  readonly msg: string;
  readonly status: number;
}

const row = (code: number, msg: string, status: number): ErrorRow => ({ code, msg, status });

/**
 * Every numbered error of the service (specification section 7, and D18 for 100 to 128).
 * The names are internal; clients depend on `code` and `msg`, including their spelling. A number is
 * never reused.
 */
export const ERRORS = {
  // Authorization and applications (D18)
  invalidRequestScheme: row(100, 'invalid_request_scheme', 400),
  invalidRequestMethod: row(101, 'invalid_request_method', 400),
  accessTokenMissing: row(102, 'access_token_is_missing', 401),
  invalidAccessToken: row(103, 'invalid_access_token', 401),
  invalidApikey: row(104, 'invalid_apikey', 401),
  apikeyBlocked: row(105, 'apikey_is_blocked', 403),
  accessTokenExpired: row(106, 'access_token_has_expired', 401),
  invalidRequestUri: row(107, 'invalid_request_uri', 400),
  invalidCredential1: row(108, 'invalid_credencial1', 401),
  invalidCredential2: row(109, 'invalid_credencial2', 401),
  notTrialUser: row(110, 'not_trial_user', 403),
  rateLimitExceeded1: row(111, 'rate_limit_exceeded1', 429),
  rateLimitExceeded2: row(112, 'rate_limit_exceeded2', 429),
  requiredParameterMissing: row(113, 'required_parameter_is_missing', 400),
  unsupportedGrantType: row(114, 'unsupported_grant_type', 400),
  unsupportedResponseType: row(115, 'unsupported_response_type', 400),
  clientSecretMismatch: row(116, 'client_secret_mismatch', 401),
  redirectUriMismatch: row(117, 'redirect_uri_mismatch', 400),
  invalidAuthorizationCode: row(118, 'invalid_authorization_code', 400),
  invalidRefreshToken: row(119, 'invalid_refresh_token', 400),
  usernamePasswordMismatch: row(120, 'username_password_mismatch', 400),
  invalidUser: row(121, 'invalid_user', 400),
  userBlocked: row(122, 'user_has_blocked', 401),
  accessTokenExpiredByPassword: row(123, 'access_token_has_expired_since_password_changed', 401),
  accessTokenNotExpired: row(124, 'access_token_has_not_expired', 400),
  invalidRequestScope: row(125, 'invalid_request_scope', 400),
  invalidRequestSource: row(126, 'invalid_request_source', 403),
  thirdpartyLoginFailed: row(127, 'thirdparty_login_auth_faied', 400),
  userLocked: row(128, 'user_locked', 403),

  // General (section 7)
  unknown: row(999, 'unknow_v2_error', 400),
  needPermission: row(1000, 'need_permission', 403),
  uriNotFound: row(1001, 'uri_not_found', 404),
  missingArgs: row(1002, 'missing_args', 400),
  imageTooLarge: row(1003, 'image_too_large', 400),
  hasBanWord: row(1004, 'has_ban_word', 400),
  inputTooShort: row(1005, 'input_too_short', 400),
  targetNotFound: row(1006, 'target_not_fount', 400),
  // The note area has another `msg` for the same number.
  noteTargetNotFound: row(1006, 'target_not_found', 400),
  needCaptcha: row(1007, 'need_captcha', 403),
  imageUnknown: row(1008, 'image_unknow', 400),
  imageWrongFormat: row(1009, 'image_wrong_format', 400),
  imageWrongCk: row(1010, 'image_wrong_ck', 403),
  imageCkExpired: row(1011, 'image_ck_expired', 403),
  titleMissing: row(1012, 'title_missing', 400),
  descMissing: row(1013, 'desc_missing', 400),
  wrongMethod: row(1014, 'wrong_method', 400),

  // Book area (section 7)
  bookNotFound: row(6000, 'book_not_found', 404),
  unauthorized: row(6002, 'unauthorized_error', 403),
  reviewContentShort: row(6004, 'review_content_short(should more than 150)', 400),
  reviewNotFound: row(6006, 'review_not_found', 404),
  notBookRequest: row(6007, 'not_book_request', 403),
  peopleNotFound: row(6008, 'people_not_found', 404),
  functionError: row(6009, 'function_error', 400),
  commentTooLong: row(6010, 'comment_too_long(should less than 350)', 400),
  collectionExist: row(6011, 'collection_exist(try PUT if you want to update)', 409),
  invalidPageNumber: row(6012, 'invalid_page_number(should be digit less than 1000000)', 400),
  chapterTooLong: row(6013, 'chapter_too_long(should less than 100)', 400),
} as const satisfies Record<string, ErrorRow>;

/** Name of an error in {@link ERRORS}. */
export type ErrorName = keyof typeof ERRORS;

export interface ApiErrorOptions {
  /** Specific reason, for the `X-Error-Detail` header (D4). */
  detail?: string;
  /** Further response headers, such as `Allow` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
  /** A status other than the table's: 500 and 503 of code 999 (D5), 409 and 422 of safe
   * retries, those of RFC 6749 (D18). */
  status?: number;
  /** Further members of the body: `error` and `error_description` of RFC 6749 (D18). */
  members?: Readonly<Record<string, string>>;
  /** The underlying failure, only for the log. */
  cause?: unknown;
  /** Id of the application whose token or key is rejected, for statistics. */
  client?: number | undefined;
}

/** A numbered error. The error filter converts everything that is thrown to one. */
export class ApiError extends Error {
  readonly row: ErrorRow;
  readonly status: number;
  readonly detail: string | undefined;
  readonly headers: Record<string, string>;
  readonly members: Readonly<Record<string, string>>;
  readonly client: number | undefined;

  constructor(
    readonly error: ErrorName,
    options: ApiErrorOptions = {},
  ) {
    super(ERRORS[error].msg, { cause: options.cause });
    this.row = ERRORS[error];
    this.status = options.status ?? this.row.status;
    this.detail = options.detail;
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
    this.client = options.client;
  }
}

/**
 * An operation that cannot be done, with a message for administrators: a command prints it, a
 * response has it as its detail.
 */
export class OperationError extends ApiError {
  constructor(message: string, error: ErrorName = 'unknown') {
    super(error, { detail: message });
    this.message = message;
  }
}

/** The object of an operation does not exist: 1001. */
export const notFound = (message: string): OperationError =>
  new OperationError(message, 'uriNotFound');

/** A malformed parameter without a code of its own: 999 (D5). */
export function malformed(detail: string): ApiError {
  return new ApiError('unknown', { detail });
}

/** An internal error: 999 with status 500, without internals in the response (D5). */
export function internal(cause: unknown): ApiError {
  return new ApiError('unknown', { status: 500, cause });
}

interface UnavailableOptions {
  readonly detail?: string;
  /** Seconds after which the client should try again. */
  readonly retryAfter?: number;
}

/**
 * The database is unavailable or all connections are busy: 999 with 503 and `Retry-After` (D5).
 *
 * @param cause undefined when nothing failed and nothing is logged
 */
export function unavailable(
  cause: unknown,
  {
    detail = 'the service is temporarily unavailable; retry the request',
    retryAfter = 2,
  }: UnavailableOptions = {},
): ApiError {
  return new ApiError('unknown', {
    status: 503,
    headers: { 'Retry-After': String(retryAfter) },
    detail,
    cause,
  });
}

/** Maximum `Retry-After` of an overload error, in seconds. */
const MAX_RETRY_SECONDS = 5;

/**
 * The process is overloaded: 999 with 503 (D5). `Retry-After` is random, so that clients do not
 * all retry at the same time.
 */
export class Overloaded extends ApiError {
  /** @param isPart whether other clients' requests of the route may be served */
  constructor(readonly isPart = false) {
    const seconds = 1 + Math.floor(Math.random() * MAX_RETRY_SECONDS);
    super('unknown', {
      status: 503,
      headers: { 'Retry-After': String(seconds) },
      detail: 'the server is overloaded; retry the request',
    });
  }
}
