import { type ErrorName } from '../errors/error-codes';

/** What each error of an operation means, for the OpenAPI documents. */
const MEANINGS: Partial<Readonly<Record<ErrorName, string>>> = {
  invalidRequestScheme: 'The request has or needs credentials, and this service requires HTTPS.',
  invalidAccessToken: 'The access token is invalid or revoked.',
  invalidApikey: 'The API key does not exist.',
  apikeyBlocked: 'The application is blocked; the detail has the reason and a contact.',
  accessTokenExpired: 'The access token has expired.',
  rateLimitExceeded1: 'The limit of the user, of the application or of the movie tier is exceeded.',
  rateLimitExceeded2: 'The limit of the address is exceeded.',
  requiredParameterMissing: 'A parameter is missing, repeated or invalid.',
  unsupportedGrantType: 'The grant type is unknown, or the client may not use it.',
  clientSecretMismatch: 'The client is unknown, or its secret is missing or wrong.',
  redirectUriMismatch: 'The redirect URI differs from that of the authorization request.',
  invalidAuthorizationCode: 'The authorization code is invalid, expired or used.',
  invalidRefreshToken: 'The refresh token is invalid, expired or used.',
  userBlocked: 'The user is blocked.',
  accessTokenExpiredByPassword: 'The user has changed the password since the token was issued.',
  invalidRequestScope: 'A scope is unknown, or the application is not approved for it.',
  unknown: 'A parameter or the body is invalid.',
  needPermission: 'The caller lacks a token, a scope, a tier, a role or the right to see this.',
  uriNotFound: 'The object does not exist, or the caller may not see it.',
  missingArgs: 'A required parameter is missing.',
  imageTooLarge: 'A picture has 3 MB or more.',
  hasBanWord: 'The text contains a word that is not allowed.',
  inputTooShort: 'The text is empty or too short.',
  targetNotFound: 'An object that a parameter refers to does not exist.',
  noteTargetNotFound: 'The note, reply or user does not exist.',
  needCaptcha: 'After many writes, the request requires the solution of a challenge.',
  imageUnknown: 'A picture is none of JPG, JPEG, GIF, PNG and BMP.',
  imageWrongFormat: 'A picture is damaged.',
  titleMissing: 'The title is empty.',
  descMissing: 'The content is empty.',
  bookNotFound: 'The book does not exist.',
  unauthorized: 'The content belongs to another user.',
  reviewContentShort: 'The review has 150 characters or less, or is too long.',
  reviewNotFound: 'The review does not exist.',
  notBookRequest: 'The entry is not a book.',
  peopleNotFound: 'The user does not exist.',
  commentTooLong: 'The comment has more than 350 characters.',
  collectionExist: 'The user has already collected the book; use PUT.',
  invalidPageNumber: 'The page number is not an integer from 1 to 999999.',
  chapterTooLong: 'The chapter has more than 100 characters.',
};

/** Meanings of 999 with another status than 400. */
const UNKNOWN: Readonly<Record<number, string>> = {
  409: 'A request with the same `Idempotency-Key` is still running; without `Retry-After` its response was lost.',
  422: 'The `Idempotency-Key` was already used for a different request.',
  500: 'The service failed.',
  503: 'The service is temporarily unavailable; `Retry-After` has the seconds to wait.',
};

/** What an error means with a status, in a sentence. @throws Error for an error without meaning */
export function meaningOf(name: ErrorName, status: number): string {
  const meaning = (name === 'unknown' ? UNKNOWN[status] : undefined) ?? MEANINGS[name];
  if (meaning === undefined) throw new Error(`the error ${name} has no meaning`);
  return meaning;
}
