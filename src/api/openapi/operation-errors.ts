import { ERRORS, type ErrorName } from '../errors/error-codes';
import { isAdminPath, isApiPath } from '../http/request-context';
import { isOpen, type Route } from '../routing/route-table';
import { meaningOf } from './error-meanings';

/** An error that an operation can give. */
export interface OperationErrorRow {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  /** What the error means, in a sentence. */
  readonly meaning: string;
}

type Named = readonly [error: ErrorName, status?: number];

const INVALID_CALLERS: readonly Named[] = [
  ['invalidAccessToken'],
  ['invalidApikey'],
  ['accessTokenExpired'],
  ['userBlocked'],
  ['accessTokenExpiredByPassword'],
  ['apikeyBlocked'],
];
const UPLOAD_ERRORS: readonly Named[] = [['imageTooLarge'], ['imageUnknown'], ['imageWrongFormat']];

/** Whether users write with a route, so that it may require a challenge. */
export const isWrite = ({ method, login, path }: Route): boolean =>
  method !== 'GET' && login && isApiPath(path);

/** Whether a write can have an `Idempotency-Key` (D91). */
export const isRepeatable = ({ method, login }: Route): boolean => method === 'POST' && login;

/** Whether guards identify the caller of a route. */
const hasCaller = ({ path, scope }: Route): boolean => isApiPath(path) || scope !== null;

/** Errors of guards, body readers and safe retries, which are the same for all operations. */
function sharedErrors(route: Route): readonly Named[] {
  const { path, scope, login, secure, free, oauthErrors } = route;
  const isApi = isApiPath(path);
  const mayExpose = secure || isApi || (isAdminPath(path) && !isOpen(route));
  return [
    ['unknown'],
    ...(mayExpose ? ([['invalidRequestScheme']] as const) : []),
    ...(hasCaller(route) ? INVALID_CALLERS : []),
    ...(scope !== null || login ? ([['needPermission']] as const) : []),
    ...(isWrite(route) ? ([['needCaptcha']] as const) : []),
    ...(path.includes(':') || scope === 'community_basic_note' ? ([['uriNotFound']] as const) : []),
    ...(isApi && !free ? ([['rateLimitExceeded1'], ['rateLimitExceeded2']] as const) : []),
    ...(isRepeatable(route)
      ? ([
          ['unknown', 409],
          ['unknown', 422],
        ] as const)
      : []),
    ...(oauthErrors ? ([['clientSecretMismatch']] as const) : []),
    ['unknown', 500],
    ['unknown', 503],
  ];
}

/** Errors that only some operations give: of their parameters, uploads and services. */
function ownErrors(route: Route): readonly Named[] {
  const { parameters, uploads, errors, method } = route;
  const moderated = method !== 'GET' && parameters.some((parameter) => parameter.moderated);
  return [
    ...parameters.flatMap((parameter) => (parameter.errors ?? []).map((name): Named => [name])),
    ...(moderated ? ([['hasBanWord']] as const) : []),
    ...(uploads ? UPLOAD_ERRORS : []),
    ...errors.map(({ error, status }): Named => [error, status]),
  ];
}

/** The errors that a route can give, by status and code, each once. */
export function errorsOfOperation(route: Route): OperationErrorRow[] {
  const rows = new Map<string, OperationErrorRow>();
  for (const [name, replaced] of [...sharedErrors(route), ...ownErrors(route)]) {
    const { code, msg, status: usual } = ERRORS[name];
    const status = replaced ?? usual;
    const key = `${status} ${code}`;
    if (!rows.has(key)) rows.set(key, { status, code, msg, meaning: meaningOf(name, status) });
  }
  return [...rows.values()].sort((a, b) => a.status - b.status || a.code - b.code);
}
