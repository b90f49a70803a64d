import { HttpException } from '@nestjs/common';
import { MulterError } from 'multer';
import { TOO_DEEP } from '../body/body-checks';
import { ApiError, internal, malformed } from './errors';
import { type RequestContext } from '../http/request-context';
import { type RouteTable } from '../routing/route-table';

/** Errors of Express and its body parsers carry a status and whether they may be told. */
interface HttpError {
  readonly status: number;
  readonly type?: string;
  readonly message: string;
}

function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && typeof (error as { status?: unknown }).status === 'number';
}

const BODY_FAULTS: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'the body is not what its Content-Type says',
  'encoding.not.utf8': 'the body must be UTF-8',
  'nested.too.deep': TOO_DEEP,
  'entity.too.large': 'the body is too large',
  'charset.unsupported': 'the charset of the body is not supported',
  'encoding.unsupported': 'the Content-Encoding of the body is not supported',
  'parameters.too.many': 'the body has too many parameters',
  'request.aborted': 'the body ended early',
  'request.size.invalid': 'the body has not the size that Content-Length says',
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Anything thrown while a request is served, as an error with a number (D5). Failures of our own
 * become 999 with status 500.
 */
export function toApiError(
  error: unknown,
  { method, path }: Pick<RequestContext, 'method' | 'path'>,
  routes?: RouteTable,
): ApiError {
  if (error instanceof ApiError) return error;
  // Express could not decode the path; Nest has made a bad request of it.
  if (!isDecodable(path)) return new ApiError('uriNotFound');
  if (error instanceof HttpException && error.getStatus() === 404)
    return unknownPath(method, path, routes);
  if (error instanceof MulterError) {
    return error.code === 'LIMIT_FILE_SIZE'
      ? new ApiError('imageTooLarge', { detail: `${error.field ?? 'a file'} is too large` })
      : malformed(`multipart: ${error.message}`);
  }
  if (isHttpError(error) && error.status >= 400 && error.status < 500) {
    return malformed(BODY_FAULTS[error.type ?? ''] ?? 'the request cannot be read');
  }
  return internal(error);
}

/**
 * An unknown path is 1001; a known one with another method is 1014 with `Allow` (D5). One that is
 * only spelt unlike its route (`%6c` for an `l`, say) is unknown: no other method would help.
 */
export function unknownPath(
  method: string,
  path: string,
  routes: RouteTable | undefined,
): ApiError {
  const methods = routes?.methodsAt(path) ?? [];
  if (methods.length === 0 || methods.includes(method)) return new ApiError('uriNotFound');
  const allow = methods.join(', ');
  return new ApiError('wrongMethod', { detail: `allowed: ${allow}`, headers: { Allow: allow } });
}
