import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, mergeMap, of, type Observable } from 'rxjs';
import { type Response } from 'express';
import { Settings } from '../../config/settings';
import { compress, encodingFor, type ContentEncoding } from '../http/content-encoding';
import { entityTag, matchesTag } from '../http/entity-tag';
import {
  isApiPath,
  NOT_MODIFIED,
  RenderedBody,
  RenderedPieces,
  type ApiRequest,
} from '../http/request-context';
import { CallLimits } from '../limits/limit.decision';

/** The forms of a response that can be sent. */
export interface Representations {
  /** Bytes without encoding. */
  readonly byteLength: number;
  tagOf(encoding: ContentEncoding | undefined): string;
  bodyOf(
    encoding: ContentEncoding | undefined,
  ): RenderedBody | RenderedPieces | Promise<RenderedPieces>;
}

/**
 * Conditional requests and compression for GET and HEAD: it sets the `ETag`, returns 304 to a client
 * that has the same bytes already (`If-None-Match`), and compresses for a client that accepts it.
 */
@Injectable()
export class EtagCompressionInterceptor implements NestInterceptor {
  private readonly compresses: boolean;

  constructor(
    private readonly limits: CallLimits,
    { COMPRESSION }: Settings,
  ) {
    this.compresses = COMPRESSION;
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { method, route } = request.context;
    const reads = method === 'GET' || method === 'HEAD';
    if (!reads || !route || !isApiPath(route.path)) return next.handle();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      mergeMap((body: unknown) => {
        const isRendered = body instanceof RenderedBody || body instanceof RenderedPieces;
        const represented = isRendered ? this.represent(request, response, body) : body;
        return represented instanceof Promise ? from(represented) : of(represented);
      }),
    );
  }

  /** Represents a rendered body. @returns what the adapter writes */
  represent(request: ApiRequest, response: Response, body: RenderedBody | RenderedPieces): unknown {
    return this.choose(request, response, {
      byteLength: body.byteLength,
      tagOf: (encoding) => entityTag(body, encoding),
      bodyOf: (encoding) => (encoding === undefined ? body : compress(body, encoding)),
    });
  }

  /** Sets the headers, and selects encoding and status. @returns what the adapter writes */
  choose(request: ApiRequest, response: Response, available: Representations): unknown {
    // Every response of the API depends on the token, see the context of the request.
    response.setHeader('Vary', 'Authorization, Accept-Encoding');
    // Clients and proxies may keep a public response, and must ask whether it is still current.
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-cache');
    const encoding = this.compresses ? encodingFor(request, available.byteLength) : undefined;
    const tag = available.tagOf(encoding);
    response.setHeader('ETag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) {
      return this.limits.uncount(request, response).then(() => NOT_MODIFIED);
    }
    if (encoding === undefined) return available.bodyOf(undefined);
    const announce = (pieces: RenderedBody | RenderedPieces): RenderedBody | RenderedPieces => {
      response.setHeader('Content-Encoding', encoding);
      return pieces;
    };
    const compressed = available.bodyOf(encoding);
    return compressed instanceof Promise ? compressed.then(announce) : announce(compressed);
  }
}
