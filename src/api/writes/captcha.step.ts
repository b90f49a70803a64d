import { Injectable, Optional, type CallHandler } from '@nestjs/common';
import { from, switchMap, type Observable } from 'rxjs';
import { CAPTCHA_ID, CAPTCHA_SOLUTION, WriteGate, type CaptchaSolution } from './captcha';
import { isApiPath, type ApiRequest } from '../http/request-context';

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Removes the solution from the body or query of a request, and returns it. */
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
 * Requires a challenge of users who write too often (1007). The body interceptor runs this step for
 * every write, outside of safe retries: a retry with a solution is the same request. A separate
 * interceptor would slow down every read.
 */
@Injectable()
export class CaptchaStep {
  constructor(@Optional() private readonly gate?: WriteGate) {}

  /** @throws ApiError 1007 (as an error of the observable) for a write above the limit */
  pass(request: ApiRequest, next: CallHandler): Observable<unknown> {
    const { caller, path } = request.context;
    if (!this.gate || !caller.user || !isApiPath(path)) return next.handle();
    const solution = takeSolution(request);
    return from(this.gate.admit(caller, solution)).pipe(switchMap(() => next.handle()));
  }
}
