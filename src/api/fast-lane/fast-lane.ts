import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Express, type Response } from 'express';
import { AccessGuard } from '../access/access.guard';
import { TierGuard } from '../access/tier.guard';
import { RouteCache, type CachedRead } from '../cache/route-cache';
import { Settings } from '../../config/settings';
import { ErrorFilter } from '../errors/error.filter';
import { isSecure } from '../http/client-address';
import { onBehalfOf } from '../http/current-request';
import { isApiPath, RenderedJson, renderWritten, type ApiRequest } from '../http/request-context';
import { HSTS, setOpenCorsHeaders, setSecurityHeaders } from '../http/security-headers';
import { type StartRequest } from '../http/request-start';
import { LimitGuard } from '../limits/limit.guard';
import { readFields, writeAnswer } from '../resources/fields.interceptor';
import { EtagCompressionInterceptor } from '../resources/etag-compression.interceptor';
import { WireContext } from '../resources/resource';
import { RouteTable } from '../routing/route-table';
import { LaneExecution } from './lane-execution';
import { ReadRoutes } from './read-routes';

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
    const request = message as ApiRequest;
    const response = serverResponse as Response;
    request.app = this.app as Express;
    request.params = match.params;
    const context = this.start(request, response);
    setSecurityHeaders(response);
    if (this.settings.requireHttps && isSecure(request))
      response.setHeader('Strict-Transport-Security', HSTS);
    setOpenCorsHeaders(response);
    const execution = new LaneExecution(request, response, match);
    void onBehalfOf(context, () => this.serve(execution, reply));
    return true;
  }

  private async serve(execution: LaneExecution, reply: Reply): Promise<void> {
    const { response } = execution;
    try {
      // The guard returns a promise only if it has to look up the caller.
      const admitted: unknown = this.access.canActivate(execution);
      if (admitted !== true) await admitted;
      this.tiers.canActivate(execution);
      await this.limits.canActivate(execution);
      reply(response, await this.answer(execution));
    } catch (error) {
      this.filter.catch(error, execution);
    }
  }

  /** The represented response of an admitted request: from memory, or from the handler. */
  private answer(execution: LaneExecution): unknown {
    const { request, response, read } = execution;
    const cached = this.memory.readOf(read.route, execution.params, request.context);
    const stored = request.context.reads?.bypassesMemory ? undefined : cached?.find();
    if (!stored) return this.readAndAnswer(execution, cached);
    if (request.context.callback === undefined) {
      return this.representation.choose(request, response, stored);
    }
    const body = renderWritten(request.context, new RenderedJson(stored.json));
    return this.representation.represent(request, response, body);
  }

  private async readAndAnswer(
    execution: LaneExecution,
    cached: CachedRead | undefined,
  ): Promise<unknown> {
    const { request, response, read } = execution;
    const { context } = request;
    const { route } = read;
    // Rejects invalid `fields` before the handler runs.
    if (route.fields) readFields(context.query.fields);
    const result = await read.call(execution);
    cached?.examine(result);
    const written: unknown = await writeAnswer(route, context, result, this.wireContext);
    const json =
      written instanceof RenderedJson ? written : new RenderedJson(JSON.stringify(written));
    if (typeof json.json === 'string') cached?.store(json.json, context.reads?.replicaPosition);
    const body = renderWritten(context, json);
    return this.representation.represent(request, response, body);
  }
}

/** Serves requests by the fast lane where it can, else by Express. */
export const throughLane =
  (lane: FastLane, reply: Reply, otherwise: RequestListener): RequestListener =>
  (request, response) => {
    if (!lane.handle(request, response, reply)) otherwise(request, response);
  };
