import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { type Request } from 'express';
import { ANONYMOUS, type Caller, type Tier } from '../access/access';
import { addressOf, limitKeyOf } from './client-address';
import { copyString } from './copy-string';
import { ClientPresence } from './client-presence';
import { percentDecoded, replacePlusSigns } from './form-encoding';
import { MAX_ACCEPT } from './header-ranges';
import { isSafe } from './safe-methods';
import { type ReadState } from '../consistency/own-writes';
import { type ApiError } from '../errors/error-codes';
import { type LimitDecision } from '../limits/limits';
import { type Attempt } from '../writes/idempotency';
import { type Moderator } from '../writes/moderation';
import { type Route } from '../routing/route-table';
import { type PictureUpload } from '../body/uploads';

/** Name of a JSONP callback: at most 50 letters, digits or `_` (specification section 1). */
const CALLBACK = /^[A-Za-z0-9_]{1,50}$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The context of one request, created before any other processing. */
export interface RequestContext {
  readonly id: string;
  readonly method: string;
  /**
   * Path as it was sent, without the query (D4); repeated slashes are one (D43). Empty after the
   * response.
   */
  path: string;
  /** Decoded query; a repeated name has a list of values. Empty after the response. */
  query: Readonly<Record<string, unknown>>;
  /** JSONP callback for the response, on GET only (D6). */
  readonly callback: string | undefined;
  /** The callback is invalid; the response is an error in plain JSON (D6). */
  readonly badCallback: boolean;
  /** The request accepts errors in the format of RFC 9457 (D4). */
  readonly problem: boolean;
  /** The body of an error has its detail (D45). */
  readonly errorDetail: boolean;
  /** A JSONP error has status 200, because browsers run no script of another (D44). */
  readonly suppressStatus: boolean;
  readonly startedAt: number;
  /** Key of the client's address: {@link limitKeyOf}. */
  readonly addressKey: string;
  /** Whether the client still waits. */
  readonly presence: ClientPresence;
  caller: Caller;
  /** The caller was read from a replica, because no primary answered: it may be outdated. */
  callerIsFromReplica?: boolean;
  /** Whether the service has tried to identify the caller. */
  identified: boolean;
  /** Set by the access guard. */
  route?: Route;
  /** Set by the tier guard where the route has tiers (D14). */
  tier?: Tier;
  /** Set by the limit check (D16). */
  limits?: LimitDecision;
  /** Set with the limit check; undefined where all reads use the primary server. */
  reads?: ReadState;
  /** Id of the user whose account a page changes; the caller of an API request is known otherwise. */
  writer?: number;
  /** Id of the application that calls the token endpoint, for statistics. */
  client?: number;
  /**
   * Id of the application, once the authorization server has verified its secret: its requests share
   * connections, whatever their addresses are.
   */
  authenticatedClient?: number;
  /** Bytes of texts that a list may read; undefined means the maximum size of a response. */
  maxTextBytes?: number;
  /** Whether its list had the turn of lists with long texts: it needs no turn of lists over 1 MB. */
  hasLongTextTurn?: boolean;
  /** Checks the access of the caller of a write again. @throws ApiError like the guards */
  recheckAccess?: (() => Promise<void>) | undefined;
  /** Set by the error filter. */
  refusal?: ApiError;
}

export interface ApiRequest extends Request {
  context: RequestContext;
  /** Files of the body, on routes that take pictures. */
  pictures?: readonly PictureUpload[];
  /** Checks written text for banned words, if the moderation module is loaded. */
  moderator?: Moderator;
  /** Set for a request with an `Idempotency-Key`. */
  attempt?: Attempt;
}

/** Whether an `Accept` header contains the type of RFC 9457 without `q=0`. */
function wantsProblem(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > MAX_ACCEPT) return false;
  if (!/problem\+json/i.test(accept)) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'application/problem+json' && !parameters.some((p) => /^q=0(\.0*)?$/.test(p));
  });
}

/** Whether a parameter of the query is `1`, or `true` in any case. */
const isOn = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:1|true)$/i.test(value.trim());

/** Whether a path belongs to the API, not to pages or probes. */
export const isApiPath = (path: string): boolean => path.startsWith('/v2/') || path === '/v2';

/** Whether a path belongs to the pages or the authorization server; case-insensitive. */
export const isServicePath = (path: string): boolean => /^\/service(\/|$)/i.test(path);

/** Whether a path belongs to the administration API. */
export const isAdminPath = (path: string): boolean => path.startsWith('/admin/v1/');

/** Whether a path belongs to the administration console; case-insensitive. */
export const isConsolePath = (path: string): boolean =>
  /^\/admin(\/|$)/i.test(path) && !isAdminPath(path);

/** Scheme and authority of a target in absolute form (RFC 9112, section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The path and query of a request target in any form (RFC 9112, section 3.2). Servers replace the
 * target with it before any other processing, so that every check sees the same path as the router.
 *
 * - From an absolute form it removes scheme and authority.
 * - It removes a fragment, which no client should send.
 * - Any other form (`*`, another scheme) becomes a path without a route.
 * - Repeated slashes in the path become one (D43).
 *
 * It does not change dots, backslashes or percent-encodings.
 */
export function originForm(target: string): string {
  const rest = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const url = rest.startsWith('/') ? rest : `/${rest}`;
  const fragment = url.indexOf('#');
  return withSingleSlashes(fragment < 0 ? url : url.slice(0, fragment));
}

/** Replaces repeated slashes in the path of a target by one; the query stays unchanged (D43). */
function withSingleSlashes(url: string): string {
  if (!url.includes('//')) return url;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return path.replace(/\/{2,}/g, '/') + url.slice(path.length);
}

/** The query of a request without one. */
export const NO_QUERY: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Decodes a name or value of a query. The function of Node throws and catches an exception for each
 * one that is not UTF-8, which takes a hundred times longer.
 */
const decode = (text: string): string =>
  text.includes('%') ? percentDecoded(Buffer.from(text)).toString() : text;

/** A query, whose characters are bytes, with spaces instead of plus signs. */
function withSpaces(query: string): string {
  const bytes = Buffer.from(query, 'latin1');
  replacePlusSigns(bytes);
  return bytes.toString('latin1');
}

const readQuery = (query: string): Readonly<Record<string, unknown>> =>
  parseQuery(query.includes('+') ? withSpaces(query) : query, '&', '=', {
    maxKeys: 0,
    decodeURIComponent: decode,
  });

/** Creates the context of a request. It keeps a valid `X-Request-Id` of the caller. */
export function createRequestContext(
  request: IncomingMessage & { originalUrl?: string },
): RequestContext {
  const url = originForm(request.originalUrl ?? request.url ?? '');
  const mark = url.indexOf('?');
  const query = mark < 0 ? NO_QUERY : readQuery(url.slice(mark + 1));
  const requestId = request.headers['x-request-id'];
  const { method = '' } = request;
  const callback = isSafe(method) && query.callback !== '' ? query.callback : undefined;
  const good = typeof callback === 'string' && CALLBACK.test(callback);
  return {
    id: typeof requestId === 'string' && REQUEST_ID.test(requestId) ? requestId : randomUUID(),
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query,
    callback: good ? copyString(callback) : undefined,
    badCallback: callback !== undefined && !good,
    problem: wantsProblem(request.headers.accept),
    errorDetail: isOn(query.error_detail),
    suppressStatus: good && isOn(query.suppress_response_codes),
    startedAt: performance.now(),
    addressKey: limitKeyOf(addressOf(request)),
    presence: new ClientPresence(),
    caller: ANONYMOUS,
    identified: false,
  };
}
