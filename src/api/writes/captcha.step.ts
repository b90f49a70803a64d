import { Injectable, Optional, type CallHandler } from '@nestjs/common';
import { from, switchMap, type Observable } from 'rxjs';
import { CAPTCHA_ID, CAPTCHA_SOLUTION, WriteGate, type CaptchaSolution } from './captcha';
import { isApiPath, type ApiRequest } from '../http/request-context';

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The solution that came with a request, in its body or query. It is no part of what is written. */
function takeSolution(request: ApiRequest): CaptchaSolution | undefined {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const { query } = request.context;
  const [id, solution] = [CAPTCHA_ID, CAPTCHA_SOLUTION].map((name) => body[name] ?? query[name]);
  Reflect.deleteProperty(body, CAPTCHA_ID);
  Reflect.deleteProperty(body, CAPTCHA_SOLUTION);
  if (id === undefined && solution === undefined) return undefined;
  return { id: asText(id), solution: asText(solution) };
}

/**
 * Asks users who write too often to solve a challenge (1007). The reader of bodies takes this step
 * with every write, outside of safe retries: a retry that brings a solution is the same request. An
 * interceptor of its own would cost every read.
 */
@Injectable()
export class CaptchaStep {
  constructor(@Optional() private readonly gate?: WriteGate) {}

  /** @throws ApiError 1007 (in what it returns) for a write that is one too many */
  pass(request: ApiRequest, next: CallHandler): Observable<unknown> {
    const { caller, path } = request.context;
    if (!this.gate || !caller.user || !isApiPath(path)) return next.handle();
    const given = takeSolution(request);
    return from(this.gate.admit(caller, given)).pipe(switchMap(() => next.handle()));
  }
}
