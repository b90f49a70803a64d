import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, map, mergeMap, of, type Observable } from 'rxjs';
import { malformed } from '../errors/error-codes';
import { type RequestContext, type ApiRequest } from '../http/request-context';
import { writeList } from './list-writer';
import { hasLongTexts, respondWithLongTexts } from './long-text-turns';
import { type Page } from './page';
import { WireContext } from './resource';
import { type Route } from '../routing/route-table';

/** Members selected by `fields`; undefined means all (D7). */
export function readFields(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw malformed('fields must occur only once');
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 || names.includes('all') ? undefined : new Set(names);
}

/**
 * Serializes the result of a handler: resource table x tier x fields, in one pass. A list that
 * takes long to serialize returns a promise.
 */
export function serializeResponse(
  route: Route,
  context: RequestContext,
  result: unknown,
  wireContext: WireContext,
) {
  const only = route.fields ? readFields(context.query.fields) : undefined;
  const { response } = route;
  if (response.kind === 'one') {
    return response.resource.compile(context.tier ?? 'basic')(result, wireContext, only);
  }
  if (response.kind === 'list') {
    return writeList({ response, context, page: result as Page<unknown>, wireContext, only });
  }
  return result;
}

/** Converts rows to JSON with the members that the tier allows and the request selects. */
@Injectable()
export class FieldsInterceptor implements NestInterceptor {
  constructor(private readonly wireContext: WireContext) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { context } = execution.switchToHttp().getRequest<ApiRequest>();
    const route = context.route;
    if (!route || route.response.kind === 'page') return next.handle();
    // Rejects invalid `fields` before the handler runs.
    if (route.fields) readFields(context.query.fields);
    const written = (result: unknown) =>
      serializeResponse(route, context, result, this.wireContext);
    if (route.response.kind !== 'list') return next.handle().pipe(map(written));
    if (hasLongTexts(route)) {
      const read = () => lastValueFrom(next.handle());
      return from(respondWithLongTexts(context, read, written));
    }
    return next.handle().pipe(
      mergeMap((result) => {
        const response = written(result);
        return response instanceof Promise ? from(response) : of(response);
      }),
    );
  }
}
