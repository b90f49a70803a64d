import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Express, type Response } from 'express';
import { AccessGuard } from '../access/access.guard';
import { TierGuard } from '../access/tier.guard';
import { RouteCache, type CachedRead } from '../cache/route-cache';
import { StoredResponse } from '../cache/stored-response';
import { Settings } from '../../config/settings';
import { ErrorFilter } from '../errors/error.filter';
import { onBehalfOf } from '../http/current-request';
import { isApiPath, type ApiRequest } from '../http/request-context';
import {
  isRendered,
  NOT_MODIFIED,
  RenderedBytes,
  RenderedJson,
  renderSerializedJson,
  toBytes,
} from '../http/rendered-body';
import { API_HEADERS, setTransportSecurity } from '../http/security-headers';
import { type StartRequest } from '../http/request-start';
import { LimitGuard } from '../limits/limit.guard';
import { TEST_FAULT_HEADER } from '../limits/test-fault';
import { readFields, serializeResponse } from '../resources/fields.interceptor';
import { hasLongTexts, respondWithLongTexts } from '../resources/long-text-turns';
import { EtagCompressionInterceptor } from '../resources/etag-compression.interceptor';
import { WireContext } from '../resources/resource';
import { RouteTable } from '../routing/route-table';
import { LaneExecution } from './lane-execution';
import { ReadRoutes } from './read-routes';
import { ResponseHead } from './response-head';

/** Writes a rendered body; the adapter of Nest provides it. */
export type Reply = (response: Response, body: unknown) => unknown;

/**
 * Serves reads of the API directly from the HTTP server, without the router of Express and the
 * pipeline of Nest, which take most of the time of a request. The steps are the same, in the same
 * order, by the same guards and functions. It passes on every request that it does not know
 * completely: other methods, unusual paths, and handlers with more than parameters.
 */
@Injectable()
export class FastLane {
  private routes: ReadRoutes | undefined;
  private start: StartRequest | undefined;
  private app: Express | undefined;
  /** Whether the middleware before the routes lets all requests pass. */
  isOpen: () => boolean = () => true;

  constructor(
    private readonly table: RouteTable,
    private readonly access: AccessGuard,
    private readonly tiers: TierGuard,
    private readonly limits: LimitGuard,
    private readonly representation: EtagCompressionInterceptor,
    private readonly filter: ErrorFilter,
    private readonly wireContext: WireContext,
    private readonly memory: RouteCache,
    private readonly settings: Settings,
  ) {}

  /** Call it before the first request. @param app has the settings that requests read */
  open(start: StartRequest, app: Express): void {
    this.start = start;
    this.app = app;
  }

  /**
   * Serves a request if it can.
   *
   * @param reply writes the body
   * @returns false for a request that Express has to serve
   */
  handle(message: IncomingMessage, serverResponse: ServerResponse, reply: Reply): boolean {
    const { url = '', method } = message;
    if (method !== 'GET' || !this.start || !isApiPath(url) || !this.isOpen()) return false;
    const mark = url.indexOf('?');
    this.routes ??= new ReadRoutes(this.table);
    const match = this.routes.find(mark < 0 ? url : url.slice(0, mark));
    if (!match) return false;
    // Express checks the access again after a delay.
    if (message.headers[TEST_FAULT_HEADER] !== undefined) return false;
    const request = message as ApiRequest;
    const response = serverResponse as Response;
    request.app = this.app as Express;
    request.params = match.params;
    const head = new ResponseHead(response);
    const context = this.start(request, response, head);
    setTransportSecurity(request, head, this.settings.requireHttps);
    const execution = new LaneExecution(request, response, match);
    void onBehalfOf(context, () => this.serve(execution, head, reply));
    return true;
  }

  /**
   * The first steps of a request that is served without Express: context, log and headers. Express
   * may still serve the request afterwards.
   */
  begin(message: IncomingMessage, response: ServerResponse): ApiRequest {
    const request = message as ApiRequest;
    request.app = this.app as Express;
    this.start?.(request, response);
    for (const [name, value] of API_HEADERS) response.setHeader(name, value);
    setTransportSecurity(request, response, this.settings.requireHttps);
    return request;
  }

  // Each step returns a promise only if it has to wait. A response in memory is sent at once.
  private async serve(execution: LaneExecution, head: ResponseHead, reply: Reply): Promise<void> {
    const { request, response } = execution;
    try {
      const admitted: unknown = this.access.canActivate(execution);
      if (admitted !== true) await admitted;
      this.tiers.canActivate(execution);
      const counted = this.limits.admit(request, head);
      if (counted) await counted;
      const result = this.respond(execution, head);
      const body = result instanceof Promise ? ((await result) as unknown) : result;
      if (send(head, body)) return;
      head.apply();
      reply(response, body);
    } catch (error) {
      if (!response.headersSent) head.apply();
      this.filter.catch(error, execution);
    }
  }

  /** The represented response of an admitted request: from memory, or from the handler. */
  private respond(execution: LaneExecution, head: ResponseHead): unknown {
    const { request, read } = execution;
    const cached = this.memory.readOf(read.route, execution.params, request.context);
    const stored = request.context.reads?.bypassesMemory ? undefined : cached?.find();
    if (!stored) return this.readAndRespond(execution, head, cached);
    if (request.context.callback === undefined) {
      return this.representation.choose(request, head, stored);
    }
    const body = renderSerializedJson(request.context, new RenderedJson(stored.json));
    return this.representation.represent(request, head, body);
  }

  private async readAndRespond(
    execution: LaneExecution,
    head: ResponseHead,
    cached: CachedRead | undefined,
  ): Promise<unknown> {
    const { request, read } = execution;
    const { context } = request;
    const { route } = read;
    // Rejects invalid `fields` before the handler runs.
    if (route.fields) readFields(context.query.fields);
    const call = (): unknown => read.call(execution);
    const write = async (result: unknown): Promise<RenderedJson> => {
      cached?.examine(result);
      const written: unknown = await serializeResponse(route, context, result, this.wireContext);
      return written instanceof RenderedJson ? written : new RenderedJson(JSON.stringify(written));
    };
    const json = hasLongTexts(route)
      ? await respondWithLongTexts(context, call, write)
      : await write(await call());
    // A list that waits to be compressed does not hold the turn.
    return this.represent(request, head, cached, json);
  }

  private represent(
    request: ApiRequest,
    head: ResponseHead,
    cached: CachedRead | undefined,
    json: RenderedJson,
  ): unknown {
    const { context } = request;
    if (cached && typeof json.json === 'string') {
      const response = new StoredResponse(json.json);
      cached.store(response, context.reads?.replicaPosition);
      if (context.callback === undefined)
        return this.representation.choose(request, head, response);
    }
    const body = toBytes(renderSerializedJson(context, json));
    return this.representation.represent(request, head, body);
  }
}

/** Sends a represented body at once. @returns false if the adapter has to write it */
function send(head: ResponseHead, body: unknown): boolean {
  if (body === NOT_MODIFIED) return head.send(304, '');
  const bytes = isRendered(body) ? toBytes(body) : undefined;
  if (!(bytes instanceof RenderedBytes)) return false;
  head.setHeader('Content-Type', bytes.contentType);
  head.setHeader('Content-Length', bytes.byteLength);
  return head.send(200, bytes.octets);
}

/** Serves requests by the fast lane where it can, else by Express. */
export const serveByFastLane =
  (lane: FastLane, reply: Reply, otherwise: RequestListener): RequestListener =>
  (request, response) => {
    if (!lane.handle(request, response, reply)) otherwise(request, response);
  };
