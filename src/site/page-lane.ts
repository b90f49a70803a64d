import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { FastLane } from '../api/fast-lane/fast-lane';
import { isSecure } from '../api/http/client-address';
import { onBehalfOf } from '../api/http/current-request';
import { type ApiRequest } from '../api/http/request-context';
import { WireContext } from '../api/resources/wire-types';
import { RequestLimits } from '../api/limits/limit.decision';
import { Settings } from '../config/settings';
import { messagesFor } from '../web/language';
import { sendRepresentation, setCatalogHeaders } from '../web/page-response';
import { PageMemory, type StoredPage } from './page-memory';

/** Paths of pages that may be in memory. */
const KEPT = /^\/(book|movie|event)\//;

/**
 * Serves public pages that are in memory, without Express and Nest. It passes on every other
 * request. The limits and headers are the same.
 */
@Injectable()
export class PageLane {
  constructor(
    private readonly memory: PageMemory,
    private readonly lane: FastLane,
    private readonly limits: RequestLimits,
    private readonly context: WireContext,
    private readonly settings: Settings,
  ) {}

  /** Serves a request from memory if it can, else by `otherwise`. */
  handle(message: IncomingMessage, response: ServerResponse, otherwise: RequestListener): void {
    const page = this.find(message);
    if (!page) {
      otherwise(message, response);
      return;
    }
    const request = this.lane.begin(message, response);
    if (this.settings.requireHttps && !isSecure(request)) {
      otherwise(message, response);
      return;
    }
    request.context.route = page.route;
    request.context.identified = true;
    void onBehalfOf(request.context, async () => {
      // A refused request does not count, and Express refuses it again, as a page.
      const isRefused = await this.isRefused(request);
      if (isRefused) otherwise(message, response);
      else await this.send(request, response, page);
    });
  }

  private find(message: IncomingMessage): StoredPage | undefined {
    const { method, url = '' } = message;
    if (method !== 'GET' || !this.memory.isEnabled || !this.lane.isOpen()) return undefined;
    if (!KEPT.test(url)) return undefined;
    return this.memory.find(message, messagesFor(message).lang);
  }

  private isRefused(request: ApiRequest): Promise<boolean> {
    return this.limits.decidePage(request).then(
      () => false,
      () => true,
    );
  }

  private send(
    request: ApiRequest,
    response: ServerResponse,
    { response: stored }: StoredPage,
  ): Promise<void> {
    setCatalogHeaders(response, this.context.baseUrl);
    return sendRepresentation(request, response, stored);
  }
}
