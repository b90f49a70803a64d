import { type HttpStatus } from '@nestjs/common';
import { OPEN_SCOPES, type Scope, type Tier } from '../access/access';
import { type ErrorName } from '../errors/error-codes';
import { type CacheRule } from '../cache/cache-rule';
import { type Resource, type WireType } from '../resources/resource';
import { type Uploads } from '../body/uploads';

/** The response of a route. */
export type RouteResponse =
  | { readonly kind: 'one'; readonly resource: Resource }
  | {
      readonly kind: 'list';
      readonly member: string;
      readonly resource: Resource;
      /** Further members of the envelope, by name: before the list, and after it. */
      readonly extra: Readonly<Record<string, WireType>>;
      readonly after: Readonly<Record<string, WireType>>;
      /** Whether the elements have texts of up to 50,000 characters. */
      readonly longTexts: boolean;
    }
  /** A JSON value that is no resource, such as an acknowledgement or the OpenAPI document. */
  | { readonly kind: 'json'; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly kind: 'empty' }
  /** A file, such as a calendar: `fields` and `callback` do not apply. */
  | { readonly kind: 'file'; readonly type: string }
  /** A page or file that the handler writes itself. */
  | { readonly kind: 'page' };

/** One parameter of a route, for the OpenAPI document. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly about?: string;
  /** Errors for a missing, blank or wrong value, in addition to 999. */
  readonly errors?: readonly ErrorName[];
  /** For text: whether it is checked for banned words. */
  readonly moderated?: boolean;
  /** Whether the specification does not have it (D51). */
  readonly extension?: boolean;
  /** For ids in a path: the kind of records, which may be merged (D149). */
  readonly mergedKind?: string;
}

/** An error that a route declares. */
export interface DeclaredError {
  readonly error: ErrorName;
  /** Replaces the status of the error, as at the endpoints of the authorization server (D18). */
  readonly status?: number;
}

/** Deprecation of a route (RFC 9745, RFC 8594). */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  /** Path that replaces it. */
  readonly successor: string;
}

/**
 * Why a route is expensive: a text search, or a list whose matches are sorted and counted. These
 * routes share a limited part of the database connections.
 */
export type Expensive = 'search' | 'list';

/** The declarations of a handler's decorators. */
export interface Contract {
  /** Required scope of the token; null on public routes. If missing, the service does not start. */
  scope?: Scope | null;
  tiers?: readonly Tier[];
  login?: boolean;
  secure?: boolean;
  free?: boolean;
  fields?: boolean;
  response?: RouteResponse;
  status?: HttpStatus;
  parameters: Parameter[];
  errors?: readonly DeclaredError[];
  /** Errors have RFC 6749's members, too (D18). */
  oauthErrors?: boolean;
  deprecation?: Deprecation;
  summary?: string;
  /** Whether the specification does not have it (D51). */
  extension?: boolean;
  operationId?: string;
  expensive?: Expensive;
  /** Pictures that the body may contain. */
  uploads?: Uploads;
  cache?: CacheRule;
}

/** One method on one path, with its declarations. */
export interface Route {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly handlerName: string;
  readonly scope: Scope | null;
  readonly tiers: readonly Tier[] | undefined;
  /** Whether the token must belong to a user, not only to an application. */
  readonly login: boolean;
  /** Whether it handles credentials, which require HTTPS like tokens (D17). */
  readonly secure: boolean;
  /** Whether its requests count in no limit (D16). */
  readonly free: boolean;
  readonly fields: boolean;
  readonly response: RouteResponse;
  readonly status: number;
  readonly parameters: readonly Parameter[];
  /** Errors that do not follow from the other declarations. */
  readonly errors: readonly DeclaredError[];
  /** Errors have RFC 6749's members, too (D18). */
  readonly oauthErrors: boolean;
  readonly deprecation: Deprecation | undefined;
  readonly summary: string | undefined;
  /** Whether the specification does not have it (D51). */
  readonly extension: boolean;
  /** Undefined where it is derived from method and path. */
  readonly operationId: string | undefined;
  /** Undefined where statements read only a few rows. */
  readonly expensive: Expensive | undefined;
  /** Pictures that the body may contain; undefined means none. */
  readonly uploads: Uploads | undefined;
  /** How its responses are kept in memory; undefined means not at all. */
  readonly cache: CacheRule | undefined;
  readonly area: string;
  /** Names of numeric wildcards, and of wildcards with the characters of `:name`. */
  readonly numeric: readonly string[];
  /** The wildcards with ids of records that may be merged, with the kind of these records. */
  readonly merging: readonly { readonly name: string; readonly kind: string }[];
  readonly named: readonly string[];
}

/** Whether anonymous callers may use a route (D12); with tiers, if basic is allowed (D14). */
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

/** The characters of a wildcard, as a regular expression. */
function characters({ numeric, named }: Route, wildcard: string): string {
  if (numeric.includes(wildcard)) return '[0-9]+';
  return named.includes(wildcard) ? '[A-Za-z0-9._-]+' : '[^/]+';
}

/** A route, how to recognize its path, and the method that serves it. */
export interface RoutePattern {
  /** Has a named group for each wildcard. */
  readonly pattern: RegExp;
  readonly route: Route;
  /** The controller with the handler. */
  readonly controller: object | undefined;
  readonly methodName: string;
}

/** Every route of the service, for the methods of a path (D5) and for the OpenAPI document. */
export class RouteTable {
  private readonly byHandler = new Map<unknown, Route>();
  private readonly all: RoutePattern[] = [];

  get routes(): readonly Route[] {
    return this.all.map(({ route }) => route);
  }

  /** The routes with their patterns, in the order of registration. */
  get patterns(): readonly RoutePattern[] {
    return this.all;
  }

  add(handler: unknown, route: Route, controller?: object, methodName = ''): void {
    this.byHandler.set(handler, route);
    const source = route.path
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:(\w+)/g, (_, name: string) => `(?<${name}>${characters(route, name)})`);
    const pattern = new RegExp(`^${source}/?$`);
    this.all.push({ pattern, route, controller, methodName });
  }

  /** The route that a handler serves. */
  of(handler: unknown): Route {
    const route = this.byHandler.get(handler);
    // Unreachable, because the start registers every handler.
    if (!route) throw new Error('a request reached a handler that is not in the route table');
    return route;
  }

  /** Methods of a path; an empty list for a path without a route. */
  methodsAt(path: string): string[] {
    let decoded: string;
    try {
      // An encoded slash is part of a segment, not a separator: no route matches it.
      decoded = path
        .split('/')
        .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
        .join('/');
    } catch {
      return [];
    }
    const methods = this.all
      .filter(({ pattern }) => pattern.test(decoded))
      .map(({ route }) => route.method);
    const all = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)));
    return [...all].sort();
  }
}
