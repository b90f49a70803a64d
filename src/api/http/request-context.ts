import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { type Request } from 'express';
import { ANONYMOUS, type Caller, type Tier } from '../access/access';
import { ClientPresence } from './client-presence';
import { type ApiError } from '../errors/errors';
import { type LimitDecision } from '../limits/limits';
import { type Moderator } from '../writes/moderation';
import { type Route } from '../routing/route-table';
import { type PictureUpload } from '../body/uploads';

/** A JSONP callback's name: digits, letters and underscore, at most 50 (specification section 1). */
const CALLBACK = /^[A-Za-z0-9_]{1,50}$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** What is known of one request; made before anything else sees it. */
export interface RequestContext {
  readonly id: string;
  readonly method: string;
  /** Path as it was sent, without the query (D4). */
  readonly path: string;
  /** Decoded query; a name given twice has a list of values. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Name to wrap the answer in, on GET only (D6). */
  readonly callback: string | undefined;
  /** The callback breaks the rule; the answer is an error in plain JSON (D6). */
  readonly badCallback: boolean;
  /** The caller wants errors as RFC 9457 (D4). */
  readonly problem: boolean;
  readonly startedAt: number;
  /** Whether the client still waits. */
  readonly presence: ClientPresence;
  caller: Caller;
  /** Whether anybody has tried to find out who calls. */
  identified: boolean;
  /** Set by the access guard. */
  route?: Route;
  /** Set by the tier guard where the route has tiers (D14). */
  tier?: Tier;
  /** Set when it was decided whether the call is within its limits (D16). */
  limits?: LimitDecision;
  /** Set by the error filter. */
  refusal?: ApiError;
}

export interface ApiRequest extends Request {
  context: RequestContext;
  /** Files of the body, on routes that take pictures. */
  pictures?: readonly PictureUpload[];
  /** Whoever looks for banned words in what is written; nobody where there is none. */
  moderator?: Moderator;
}

/** Whether an `Accept` names RFC 9457's type, and does not rule it out. */
function wantsProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'application/problem+json' && !parameters.some((p) => /^q=0(\.0*)?$/.test(p));
  });
}

/** Whether a path belongs to the interface, and not to pages or probes beside it. */
export const isApiPath = (path: string): boolean => path.startsWith('/v2/') || path === '/v2';

/** Whether a path belongs to the pages and the authorization server; both are found in any case. */
export const isServicePath = (path: string): boolean => /^\/service(\/|$)/i.test(path);

/** Whether a path belongs to the administration API, which is beside the interface. */
export const isAdminPath = (path: string): boolean => path.startsWith('/admin/v1/');

/** Scheme and authority of a target in absolute form (RFC 9112, section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The path and query that a request is for, whatever form its target has (RFC 9112, section 3.2).
 * Servers put this in the place of the target before anything else sees the request: whatever
 * decides by the path sees the same one that finds the route.
 *
 * - Of an absolute form it is what follows the authority, which names no one else than this service.
 * - A fragment, which no client should send, is left out.
 * - Anything else (`*`, another scheme) becomes a path that is unknown.
 *
 * Neither dots, doubled slashes, backslashes nor percent-encodings are changed.
 */
export function originForm(target: string): string {
  const rest = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const url = rest.startsWith('/') ? rest : `/${rest}`;
  const fragment = url.indexOf('#');
  return fragment < 0 ? url : url.slice(0, fragment);
}

const NO_QUERY: Readonly<Record<string, unknown>> = Object.freeze({});

/** The context of a request. An `X-Request-Id` of the caller is kept when it is harmless. */
export function createRequestContext(
  request: IncomingMessage & { originalUrl?: string },
): RequestContext {
  const url = originForm(request.originalUrl ?? request.url ?? '');
  const mark = url.indexOf('?');
  const query = mark < 0 ? NO_QUERY : parseQuery(url.slice(mark + 1), '&', '=', { maxKeys: 0 });
  const given = request.headers['x-request-id'];
  const { method = '' } = request;
  const reads = method === 'GET' || method === 'HEAD';
  const callback = reads && query.callback !== '' ? query.callback : undefined;
  const good = typeof callback === 'string' && CALLBACK.test(callback);
  return {
    id: typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID(),
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query,
    callback: good ? callback : undefined,
    badCallback: callback !== undefined && !good,
    problem: wantsProblem(request.headers.accept),
    startedAt: performance.now(),
    presence: new ClientPresence(),
    caller: ANONYMOUS,
    identified: false,
  };
}

/** A file that a handler answers with; its type is the route's. */
export interface FileAnswer {
  /** For whoever saves it: letters, digits, `-` and `.`. */
  readonly name: string;
  readonly body: string;
}

/** A finished answer: the adapter writes it as it is. */
export class RenderedBody {
  constructor(
    readonly body: string,
    readonly contentType: string,
  ) {}
}

/** A finished answer in pieces: joining a large one would take its size in memory twice more. */
export class RenderedPieces {
  constructor(
    readonly pieces: readonly Buffer[],
    readonly contentType: string,
  ) {}
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const JSONP_TYPE = 'text/javascript; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A body whose JSON is written already: one text, or several pieces in UTF-8. */
export class RenderedJson {
  constructor(readonly json: string | readonly Buffer[]) {}
}

/** JSON that older JavaScript reads, too: there, line separators end a statement. */
export const scriptSafe = (json: string): string =>
  json.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');

/** Frames JSON whose pieces are safe in scripts already. */
function renderPieces(context: RequestContext, pieces: readonly Buffer[]): RenderedPieces {
  if (context.callback === undefined) return new RenderedPieces(pieces, JSON_TYPE);
  const [before, after] = [Buffer.from(`${context.callback}(`), Buffer.from(');')];
  return new RenderedPieces([before, ...pieces, after], JSONP_TYPE);
}

/** What is written already, as its body; see {@link renderBody}. */
export const renderWritten = (
  context: RequestContext,
  { json }: RenderedJson,
): RenderedBody | RenderedPieces =>
  typeof json === 'string' ? renderJson(context, json, JSON_TYPE) : renderPieces(context, json);

/** Writes a value as JSON, or as `callback(json);` when the request has a callback (D6). */
export const renderBody = (
  context: RequestContext,
  value: unknown,
  type: string = JSON_TYPE,
): RenderedBody => renderJson(context, JSON.stringify(value), type);

function renderJson(context: RequestContext, json: string, type: string): RenderedBody {
  if (context.callback === undefined) return new RenderedBody(json, type);
  return new RenderedBody(`${context.callback}(${scriptSafe(json)});`, JSONP_TYPE);
}
