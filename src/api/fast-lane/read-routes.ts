import { type ExecutionContext, type Type } from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants';
import { type PathValues } from '../cache/cache-rule';
import { isApiPath } from '../http/request-context';
import { type Route, type RoutePattern, type RouteTable } from '../routing/route-table';

type Handler = (...input: unknown[]) => unknown;

/** A parameter of a handler, as `createParamDecorator` of Nest declares it. */
interface ParameterMetadata {
  readonly index: number;
  readonly data: unknown;
  readonly pipes: readonly unknown[];
  readonly factory?: (data: unknown, execution: ExecutionContext) => unknown;
}

/** A handler that the fast lane can call. */
export interface ReadRoute {
  readonly route: Route;
  readonly type: Type;
  readonly handler: Handler;
  /** Calls the handler with the values of its parameter decorators. */
  call(execution: ExecutionContext): unknown;
}

/** A route and the values of its path's wildcards. */
export interface Match {
  readonly read: ReadRoute;
  readonly params: PathValues;
}

const SERVED: ReadonlySet<string> = new Set(['one', 'list', 'json']);

const isServed = ({ method, path, response, status }: Route): boolean =>
  method === 'GET' && status === 200 && isApiPath(path) && SERVED.has(response.kind);

const ENHANCERS = [GUARDS_METADATA, HEADERS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA];

/** Whether Nest would do more for the handler than the fast lane does. */
const hasEnhancers = (type: Type, handler: object): boolean =>
  ENHANCERS.some((key) => Reflect.hasMetadata(key, type) || Reflect.hasMetadata(key, handler));

/** The parameters of a handler; undefined if one of them needs more than a call of its factory. */
function parametersOf(type: Type, name: string): Required<ParameterMetadata>[] | undefined {
  const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as object;
  const parameters: Required<ParameterMetadata>[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    const parameter = value as ParameterMetadata;
    const { factory, pipes } = parameter;
    if (!key.includes(CUSTOM_ROUTE_ARGS_METADATA) || !factory || pipes.length > 0) return undefined;
    parameters.push({ ...parameter, factory });
  }
  return parameters;
}

/** The handler for the fast lane; undefined for a route that only Nest can serve. */
function toReadRoute({ route, controller, methodName }: RoutePattern): ReadRoute | undefined {
  if (!controller || !isServed(route)) return undefined;
  const type = controller.constructor as Type;
  const handler = (controller as Record<string, Handler | undefined>)[methodName];
  const parameters = handler && parametersOf(type, methodName);
  if (!parameters || hasEnhancers(type, handler)) return undefined;
  return {
    route,
    type,
    handler,
    call: (execution) => {
      const input: unknown[] = [];
      for (const { index, factory, data } of parameters) input[index] = factory(data, execution);
      return handler.apply(controller, input);
    },
  };
}

interface Pattern {
  readonly pattern: RegExp;
  readonly read: ReadRoute | undefined;
}

/** The number of segments of a path, without a slash at its end, and its second segment. */
function shapeOf(path: string): string {
  let segments = 0;
  let area = '';
  let start = 0;
  for (let at = path.indexOf('/', 1); at >= 0; at = path.indexOf('/', at + 1)) {
    if (at === path.length - 1) break;
    segments += 1;
    if (segments === 2) area = path.slice(start, at);
    start = at + 1;
  }
  return `${segments} ${area}`;
}

/** Finds the handler of a GET by its path, for the handlers that the fast lane can call. */
export class ReadRoutes {
  /** The second segment of all routes with several is fixed, which few routes then share. */
  private readonly byShape = new Map<string, Pattern[]>();

  constructor(table: RouteTable) {
    for (const registered of table.patterns) {
      const { route, pattern } = registered;
      if (route.method !== 'GET') continue;
      const shape = shapeOf(route.path);
      const patterns = this.byShape.get(shape) ?? [];
      patterns.push({ pattern, read: toReadRoute(registered) });
      this.byShape.set(shape, patterns);
    }
  }

  /** The only route of a path; undefined if there is none or several, among which Express chooses. */
  find(path: string): Match | undefined {
    let found: Match | undefined;
    for (const { pattern, read } of this.byShape.get(shapeOf(path)) ?? []) {
      const match = pattern.exec(path);
      if (!match) continue;
      if (!read || found) return undefined;
      found = { read, params: match.groups ?? {} };
    }
    return found;
  }
}
