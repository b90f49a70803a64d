import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, mergeMap, of, type Observable } from 'rxjs';
import { Settings } from '../../config/settings';
import {
  acceptsIdentity,
  compress,
  encodingFor,
  type ContentEncoding,
} from '../http/content-encoding';
import { entityTag, matchesTag } from '../http/entity-tag';
import { type HeaderFields } from '../http/header-fields';
import { isApiPath, type ApiRequest } from '../http/request-context';
import { isRendered, NOT_MODIFIED, type Rendered } from '../http/rendered-body';
import { isSafe } from '../http/safe-methods';
import { RequestLimits } from '../limits/limit.decision';
import { LARGE_RESPONSE_BYTES, LargeResponseQueue } from './large-response-queue';

/** The forms of a response that can be sent. */
export interface Representations {
  /** Bytes without encoding. */
  readonly byteLength: number;
  tagOf(encoding: ContentEncoding | undefined): string;
  bodyOf(encoding: ContentEncoding | undefined): Rendered | Promise<Rendered>;
}

/**
 * Conditional requests and compression for GET and HEAD: it sets the `ETag`, returns 304 to a client
 * that has the same bytes already (`If-None-Match`), and compresses for a client that accepts it.
 */
@Injectable()
export class EtagCompressionInterceptor implements NestInterceptor {
  private readonly compresses: boolean;
  /** Large bodies that are compressed. Each holds its body, and up to as many bytes of output. */
  private readonly largeBodies = new LargeResponseQueue({ concurrent: 2, waiting: 4 });

  constructor(
    private readonly limits: RequestLimits,
    { COMPRESSION }: Settings,
  ) {
    this.compresses = COMPRESSION;
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { method, route } = request.context;
    if (!isSafe(method) || !route || !isApiPath(route.path)) return next.handle();
    const fields = http.getResponse<HeaderFields>();
    return next.handle().pipe(
      mergeMap((body: unknown) => {
        const represented = isRendered(body) ? this.represent(request, fields, body) : body;
        return represented instanceof Promise ? from(represented) : of(represented);
      }),
    );
  }

  /** Represents a rendered body. @returns what the adapter writes */
  represent(request: ApiRequest, fields: HeaderFields, body: Rendered): unknown {
    return this.choose(request, fields, {
      byteLength: body.byteLength,
      tagOf: (encoding) => entityTag(body, encoding),
      bodyOf: (encoding) => (encoding === undefined ? body : compress(body, encoding)),
    });
  }

  /** Sets the headers, and selects encoding and status. @returns what the adapter writes */
  choose(request: ApiRequest, fields: HeaderFields, available: Representations): unknown {
    // Every response of the API depends on the token, see the context of the request.
    fields.setHeader('Vary', 'Authorization, Accept-Encoding');
    // Clients and proxies may keep a public response, and must ask whether it is still current.
    if (!fields.hasHeader('Cache-Control')) fields.setHeader('Cache-Control', 'no-cache');
    const encoding = this.compresses ? encodingFor(request, available.byteLength) : undefined;
    const tag = available.tagOf(encoding);
    fields.setHeader('ETag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) {
      const uncounted = this.limits.uncount(request, fields);
      return uncounted ? uncounted.then(() => NOT_MODIFIED) : NOT_MODIFIED;
    }
    if (encoding === undefined) return available.bodyOf(undefined);
    return available.byteLength > LARGE_RESPONSE_BYTES
      ? this.compressInTurn(request, fields, available, encoding)
      : this.compress(fields, available, encoding);
  }

  /** A large body: compressed in its turn, or not compressed while too many others wait for theirs. */
  private async compressInTurn(
    request: ApiRequest,
    fields: HeaderFields,
    available: Representations,
    encoding: ContentEncoding,
  ): Promise<Rendered> {
    const { context } = request;
    const end = await this.largeBodies.acquire(context).catch((error: unknown) => {
      if (context.presence.hasLeft || !acceptsIdentity(request)) throw error;
    });
    if (!end) {
      fields.setHeader('ETag', available.tagOf(undefined));
      return available.bodyOf(undefined);
    }
    try {
      return await this.compress(fields, available, encoding);
    } finally {
      end();
    }
  }

  private compress(
    fields: HeaderFields,
    available: Representations,
    encoding: ContentEncoding,
  ): Rendered | Promise<Rendered> {
    const announce = (body: Rendered): Rendered => {
      fields.setHeader('Content-Encoding', encoding);
      return body;
    };
    const compressed = available.bodyOf(encoding);
    return compressed instanceof Promise ? compressed.then(announce) : announce(compressed);
  }
}
