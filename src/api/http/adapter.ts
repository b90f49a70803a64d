import { type RequestListener, type Server } from 'node:http';
import { type ServerOptions } from 'node:https';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { NOT_MODIFIED, RenderedBody, RenderedBytes, RenderedPieces } from './rendered-body';
import { isLivenessProbe, respondLiveness } from './liveness';
import { type Gate } from './overload';
import { removeSecurityHeaders } from './security-headers';
import { makeServer, ServerMemory, type ServerSettings } from './servers';

function replyInPieces(
  response: Response,
  { pieces, contentType, byteLength }: RenderedPieces,
  statusCode = response.statusCode,
): unknown {
  response.statusCode = statusCode;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', byteLength);
  if (pieces.length === 1) return response.end(pieces[0]);
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.uncork();
  return response.end();
}

/**
 * Nest's Express adapter, which writes rendered responses directly: content negotiation and entity
 * tags are the task of an interceptor.
 */
export class ApiAdapter extends ExpressAdapter {
  /** Of all ports. */
  private readonly memory: ServerMemory;

  /** @param tls certificate and key, to serve HTTPS */
  constructor(
    private readonly settings: ServerSettings,
    private readonly tls?: Pick<ServerOptions, 'cert' | 'key'>,
  ) {
    const instance = express();
    instance.disable('x-powered-by');
    instance.disable('etag');
    // Paths are case-sensitive.
    instance.enable('case sensitive routing');
    // The request context has the parsed query; Express would parse it at each access.
    instance.set('query parser', false);
    super(instance);
    this.memory = new ServerMemory(settings);
  }

  /** Admits requests; until it is set, every request is admitted. */
  gate: Gate = (_request, _response, begin) => {
    begin();
  };

  /** Serves admitted requests; the default is Express. */
  handle: RequestListener = (request, response) => {
    this.getInstance<Express>()(request, response);
  };

  private readonly listener: RequestListener = (request, response) => {
    // The service ignores requests for an upgrade, but Node's parser reads no request after one.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    this.gate(request, response, () => {
      if (isLivenessProbe(request)) respondLiveness(response);
      else this.handle(request, response);
    });
  };

  override initHttpServer(): void {
    this.httpServer = makeServer(this.listener, this.settings, this.tls, this.memory);
  }

  /** Creates a server for the same routes over plain HTTP. */
  plainServer(): Server {
    return makeServer(this.listener, this.settings, undefined, this.memory);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body === NOT_MODIFIED) {
      response.statusCode = 304;
      removeSecurityHeaders(response);
      return response.end();
    }
    if (body instanceof RenderedPieces) return replyInPieces(response, body, statusCode);
    if (body instanceof RenderedBytes) {
      const { buffer, contentType } = body;
      return replyInPieces(response, new RenderedPieces([buffer], contentType), statusCode);
    }
    if (!(body instanceof RenderedBody)) return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    response.setHeader('Content-Type', body.contentType);
    response.setHeader('Content-Length', body.byteLength);
    return response.end(body.body);
  }
}
