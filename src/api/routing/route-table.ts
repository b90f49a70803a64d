import { type HttpStatus } from '@nestjs/common';
import { OPEN_SCOPES, type Scope, type Tier } from '../access/access';
import { type Resource, type WireType } from '../resources/resource';
import { type Uploads } from '../body/uploads';

/** What a route answers with. */
export type Answer =
  | { readonly kind: 'one'; readonly resource: Resource }
  | {
      readonly kind: 'list';
      readonly member: string;
      readonly resource: Resource;
      /** Further members of the wrapper, by name: those before the list, and those after it. */
      readonly extra: Readonly<Record<string, WireType>>;
      readonly after: Readonly<Record<string, WireType>>;
    }
  /** A JSON value that is no resource: an acknowledgement, the OpenAPI document. */
  | { readonly kind: 'json'; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'empty' }
  /** A file of a type, such as a calendar: neither `fields` nor `callback` change it. */
  | { readonly kind: 'file'; readonly type: string }
  /** Not the API's JSON: a page, a file. Written by the handler itself. */
  | { readonly kind: 'page' };

/** One parameter of a route, for the OpenAPI document. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly about?: string;
  /** Of text: whether others will read it, so that banned words are looked for. */
  readonly moderated?: boolean;
}

/** Marks a route that is on its way out (RFC 9745, RFC 8594). */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  /** Path that replaces it. */
  readonly successor: string;
}

/**
 * Why a route is expensive: a search through texts, or a list whose matches must be sorted and
 * counted. Such routes share a bounded part of the database's connections.
 */
export type Expensive = 'search' | 'list';

/** What decorators say about a handler before the routes are walked. */
export interface Contract {
  /** Scope that a token must hold; null on public routes; absent stops the start. */
  scope?: Scope | null;
  tiers?: readonly Tier[];
  login?: boolean;
  secure?: boolean;
  free?: boolean;
  fields?: boolean;
  answer?: Answer;
  status?: HttpStatus;
  parameters: Parameter[];
  /** Errors have RFC 6749's members, too (D18). */
  oauthErrors?: boolean;
  deprecation?: Deprecation;
  summary?: string;
  expensive?: Expensive;
  /** Pictures that the body may hold. */
  uploads?: Uploads;
}

/** One method on one path, with everything declared about it. */
export interface Route {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly handlerName: string;
  readonly scope: Scope | null;
  readonly tiers: readonly Tier[] | undefined;
  /** A user is needed, not only an application. */
  readonly login: boolean;
  /** It handles credentials: over plain HTTP it is refused like a token (D17). */
  readonly secure: boolean;
  /** Calls of it count in no limit (D16). */
  readonly free: boolean;
  readonly fields: boolean;
  readonly answer: Answer;
  readonly status: number;
  readonly parameters: readonly Parameter[];
  /** Errors have RFC 6749's members, too (D18). */
  readonly oauthErrors: boolean;
  readonly deprecation: Deprecation | undefined;
  readonly summary: string | undefined;
  /** Undefined where statements read few rows. */
  readonly expensive: Expensive | undefined;
  /** Pictures that the body may hold; none when undefined. */
  readonly uploads: Uploads | undefined;
  readonly area: string;
  /** Names of wildcards whose value must be numeric, and those of the `:name` set. */
  readonly numeric: readonly string[];
  readonly named: readonly string[];
}

/** Whether anonymous callers may use a route: D12, and of tiers theirs, the basic one (D14). */
export function isOpen({ method, scope, tiers, login }: Route): boolean {
  if (scope === null) return !login;
  if (login || method !== 'GET') return false;
  return tiers ? tiers.includes('basic') : OPEN_SCOPES.has(scope);
}

const NUMERIC = /^[0-9]+$/;
const NAMED = /^[A-Za-z0-9._-]+$/;

/** Whether a path parameter fits its wildcard (specification section 1). */
export function fitsWildcard(kind: 'id' | 'name', value: string): boolean {
  return (kind === 'id' ? NUMERIC : NAMED).test(value);
}

/** Every route of the service, to find what a path allows (D5) and to write the OpenAPI document. */
export class RouteTable {
  private readonly byHandler = new Map<unknown, Route>();
  private readonly patterns: { readonly pattern: RegExp; readonly route: Route }[] = [];

  get routes(): readonly Route[] {
    return this.patterns.map(({ route }) => route);
  }

  add(handler: unknown, route: Route): void {
    this.byHandler.set(handler, route);
    const source = route.path
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:(\w+)/g, (_, name) =>
        route.numeric.includes(name as string)
          ? '[0-9]+'
          : route.named.includes(name as string)
            ? '[A-Za-z0-9._-]+'
            : '[^/]+',
      );
    this.patterns.push({ pattern: new RegExp(`^${source}/?$`), route });
  }

  /** The route that a handler serves. */
  of(handler: unknown): Route {
    const route = this.byHandler.get(handler);
    // Unreachable after a start, which walks every handler; refusing is safer than guessing.
    if (!route) throw new Error('a handler outside the route table was reached');
    return route;
  }

  /** Methods that a path knows, or an empty list for an unknown path. */
  methodsAt(path: string): string[] {
    let decoded: string;
    try {
      // A slash that was encoded is part of a segment, not between two: no route matches it.
      decoded = path
        .split('/')
        .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
        .join('/');
    } catch {
      return [];
    }
    const methods = this.patterns
      .filter(({ pattern }) => pattern.test(decoded))
      .map(({ route }) => route.method);
    const all = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)));
    return [...all].sort();
  }
}
