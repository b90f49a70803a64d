import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { malformed } from './errors';
import { type Frame, type FramedRequest } from './frame';
import { type Page } from './page';
import { WireContext, type Serializer } from './resource';
import { type Answer, type Route } from './route-table';

/** Members that `fields` names, or undefined for no filter (D7). */
export function readFields(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw malformed('fields must be given once');
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 || names.includes('all') ? undefined : new Set(names);
}

type ListAnswer = Extract<Answer, { kind: 'list' }>;

function writeList(
  answer: ListAnswer,
  frame: Frame,
  page: Page<unknown>,
  context: WireContext,
  only: ReadonlySet<string> | undefined,
): Record<string, unknown> {
  const tier = frame.tier ?? 'basic';
  const serialize: Serializer = answer.resource.compile(tier);
  const items = page.items.map((item) => serialize(item, context, only));
  const wrapper: Record<string, unknown> = {
    start: page.start,
    count: items.length,
    total: page.total,
  };
  const write = (members: ListAnswer['extra']): void => {
    for (const [name, shape] of Object.entries(members)) {
      const value = page.extra?.[name];
      wrapper[name] =
        value === null || value === undefined ? shape.unset : shape.writer(tier)(value, context);
    }
  };
  write(answer.extra);
  wrapper[answer.member] = items;
  write(answer.after);
  return wrapper;
}

/** Writes what a handler returned: resource table x tier x fields, in one pass. */
export function writeAnswer(route: Route, frame: Frame, result: unknown, context: WireContext) {
  const only = route.fields ? readFields(frame.query.fields) : undefined;
  const { answer } = route;
  if (answer.kind === 'one') {
    return answer.resource.compile(frame.tier ?? 'basic')(result, context, only);
  }
  if (answer.kind === 'list') {
    return writeList(answer, frame, result as Page<unknown>, context, only);
  }
  return result;
}

/** Turns rows into wire shapes, with the members that the tier sees and the caller asked for. */
@Injectable()
export class FieldsInterceptor implements NestInterceptor {
  constructor(private readonly context: WireContext) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { frame } = execution.switchToHttp().getRequest<FramedRequest>();
    const route = frame.route;
    if (!route || route.answer.kind === 'page') return next.handle();
    // Wrong `fields` are refused before the work is done.
    if (route.fields) readFields(frame.query.fields);
    return next.handle().pipe(map((result) => writeAnswer(route, frame, result, this.context)));
  }
}
