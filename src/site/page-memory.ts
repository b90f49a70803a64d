import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type ContentKey } from '../api/cache/cache-rule';
import { ResponseCache } from '../api/cache/response-cache';
import { MAX_CACHED_URL_LENGTH, StoredResponse } from '../api/cache/stored-response';
import { type ApiRequest } from '../api/http/request-context';
import { type Route } from '../api/routing/route-table';
import { HTML_TYPE } from '../web/page-response';

/** A page in memory. */
export interface StoredPage {
  readonly response: StoredResponse;
  readonly route: Route;
}

/** What a page depends on in addition to the rule of its route. */
export interface PageDependencies {
  readonly dependsOn?: readonly ContentKey[];
  /** Maximum age in milliseconds, for pages with lists that no content key tells about. */
  readonly maxAge?: number;
}

/** A page depends on its address and language alone; see `readerOf`. */
const keyOf = (address: string, language: string): string => `page ${language} ${address}`;

/**
 * Public pages in the memory of responses (D122, D160). Routes with `@Cached` take part; the guard
 * of the pages calls `begin` before the handler reads.
 */
@Injectable()
export class PageMemory {
  /** Versions of the content at the beginning of requests. */
  private readonly versions = new WeakMap<ApiRequest, number>();
  private readonly routes = new WeakMap<StoredResponse, Route>();

  constructor(private readonly cache: ResponseCache) {}

  get isEnabled(): boolean {
    return this.cache.isEnabled;
  }

  /** Remembers the present version of the content, for a page that may be kept. */
  begin(request: ApiRequest): void {
    if (request.method === 'GET' && request.context.route?.cache)
      this.versions.set(request, this.cache.version);
  }

  /** The current page of an address in a language; undefined if it is not in memory. */
  find({ url = '' }: IncomingMessage, language: string): StoredPage | undefined {
    if (url.length > MAX_CACHED_URL_LENGTH) return undefined;
    const key = keyOf(url, language);
    if (!this.cache.isMarked(key)) return undefined;
    const response = this.cache.find(key);
    const route = response && this.routes.get(response);
    return response && route && { response, route };
  }

  /** Keeps a page until its content changes. */
  keep(
    request: ApiRequest,
    language: string,
    text: string,
    { dependsOn = [], maxAge }: PageDependencies,
  ): void {
    const version = this.versions.get(request);
    const { route, reads } = request.context;
    const { originalUrl } = request;
    if (version === undefined || !route?.cache || originalUrl.length > MAX_CACHED_URL_LENGTH)
      return;
    const keys = [...route.cache.dependsOn(request.params as Record<string, string>), ...dependsOn];
    const page = new StoredResponse(text, HTML_TYPE);
    this.routes.set(page, route);
    const key = keyOf(originalUrl, language);
    this.cache.store(key, page, keys, version, reads?.replicaPosition, maxAge);
  }
}
