import { HttpException } from '@nestjs/common';
import { MulterError } from 'multer';
import { TOO_DEEP } from '../body/body-checks';
import { ApiError, internal, malformed } from './error-codes';
import { toFileError } from './file-errors';
import { type RequestContext } from '../http/request-context';
import { type RouteTable } from '../routing/route-table';

/** An error of Express or its body parsers. */
interface HttpError {
  readonly status: number;
  readonly type?: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && typeof (error as { status?: unknown }).status === 'number';
}

const BODY_FAULTS: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'the body does not match its Content-Type',
  'encoding.not.utf8': 'the body must be UTF-8',
  'nested.too.deep': TOO_DEEP,
  'entity.too.large': 'the body is too large',
  'charset.unsupported': 'the charset of the body is not supported',
  'encoding.unsupported': 'the Content-Encoding of the body is not supported',
  'parameters.too.many': 'the body has too many parameters',
  'request.aborted': 'the body ended early',
  'request.size.invalid': 'the size of the body differs from Content-Length',
};

/** Statuses of files that do not match the conditions or the range of a request (RFC 9110). */
const CONDITIONS: ReadonlyMap<number, string> = new Map([
  [412, 'the file does not match the conditions of the request'],
  [416, 'the requested byte range is outside of the file'],
]);

/**
 * Whether PostgreSQL rejected a row that refers to a row which does not exist. The deletion of a row
 * that others refer to has the same SQLSTATE, and another detail.
 */
export function isMissingReference(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, detail = '' } = error as { code?: unknown; detail?: string };
  return code === '23503' && detail.includes('is not present in table');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts anything thrown during a request to a numbered error (D5). Internal errors become 999
 * with status 500, errors of the file system with 503. A reference to a row that another request
 * has deleted becomes 1001.
 */
export function toApiError(
  error: unknown,
  { method, path }: Pick<RequestContext, 'method' | 'path'>,
  routes?: RouteTable,
): ApiError {
  if (error instanceof ApiError) return error;
  // Nest reports a path that Express cannot decode as a bad request.
  if (!isDecodable(path)) return noSuchPath();
  if (error instanceof HttpException && error.getStatus() === 404)
    return unknownPath(method, path, routes);
  if (error instanceof MulterError) {
    return error.code === 'LIMIT_FILE_SIZE'
      ? new ApiError('imageTooLarge', { detail: `${error.field ?? 'a file'} is too large` })
      : malformed(`multipart: ${error.message}`);
  }
  if (isHttpError(error) && CONDITIONS.has(error.status)) {
    const { status, headers = {} } = error;
    return new ApiError('unknown', { status, headers, detail: CONDITIONS.get(status) });
  }
  if (isHttpError(error) && error.status >= 400 && error.status < 500) {
    return malformed(BODY_FAULTS[error.type ?? ''] ?? 'the request is malformed');
  }
  if (isMissingReference(error)) {
    const detail = 'an object of the request was deleted meanwhile';
    return new ApiError('uriNotFound', { detail, cause: error });
  }
  const converted = toFileError(error);
  return converted instanceof ApiError ? converted : internal(error);
}

const noSuchPath = (): ApiError =>
  new ApiError('uriNotFound', { detail: 'no operation has this path' });

/**
 * 1001 for a path without a route, 1014 with `Allow` for a path with other methods (D5). A path
 * that only differs from its route by encoding (`%6c` for `l`) is 1001: no other method would match
 * it.
 */
export function unknownPath(
  method: string,
  path: string,
  routes: RouteTable | undefined,
): ApiError {
  const methods = routes?.methodsAt(path) ?? [];
  if (methods.length === 0 || methods.includes(method)) return noSuchPath();
  const allow = methods.join(', ');
  return new ApiError('wrongMethod', { detail: `allowed: ${allow}`, headers: { Allow: allow } });
}
