import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { ERRORS } from './errors';
import { Framed, FramedPieces, JSON_TYPE } from './frame';

/** Bytes of request line and headers together: a query may hold 5,000 Chinese characters. */
const MAX_HEADER_BYTES = 65_536;

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'characters outside ASCII must be percent-encoded',
  HPE_HEADER_OVERFLOW: 'the request line and headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
};

/** Method and path of a request that could not be parsed, as far as they can be made out (D4). */
function requestIn(packet: Buffer | undefined): string {
  const [, method, target = ''] =
    /^([A-Z]{1,20}) (\S{1,2000})/.exec(packet?.toString() ?? '') ?? [];
  return method === undefined ? '' : `${method} ${encodeURI(target.split('?')[0] ?? '')}`;
}

/** What is no HTTP, or too much of it, never becomes a request: 999 all the same (D5). */
function refuseUnreadable(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Duplex,
): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } };
  // A second status line must not land inside an answer that is under way.
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { msg, code } = ERRORS.unknown;
  const body = JSON.stringify({ msg, code, request: requestIn(error.rawPacket) });
  const detail = UNREADABLE[error.code ?? ''] ?? 'this is no HTTP request';
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Error-Detail: ${detail}\r\nX-Content-Type-Options: nosniff\r\n` +
      'Access-Control-Allow-Origin: *\r\n' +
      `Connection: close\r\n\r\n${body}`,
  );
}

function replyInPieces(
  response: Response,
  { pieces, contentType }: FramedPieces,
  statusCode = response.statusCode,
): unknown {
  response.statusCode = statusCode;
  response.setHeader('Content-Type', contentType);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.setHeader('Content-Length', length);
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.uncork();
  return response.end();
}

/**
 * Express as Nest drives it, except that finished answers are written as they are: no second
 * look at their type, no ETag hashed over every body.
 */
export class ApiAdapter extends ExpressAdapter {
  /** @param tls certificate and key, to serve HTTPS */
  constructor(private readonly tls?: Pick<ServerOptions, 'cert' | 'key'>) {
    const instance = express();
    instance.disable('x-powered-by');
    instance.disable('etag');
    // Paths are exact: an upper-case spelling is another, unknown path.
    instance.enable('case sensitive routing');
    // The frame has parsed the query; Express would do it again at each look.
    instance.set('query parser', false);
    super(instance);
  }

  override initHttpServer(): void {
    this.httpServer = this.tls ? this.serverOver(this.tls) : this.plainServer();
  }

  private serverOver(tls: ServerOptions): Server {
    const options = { ...tls, maxHeaderSize: MAX_HEADER_BYTES };
    return createHttpsServer(options, this.getInstance<Express>()).on(
      'clientError',
      refuseUnreadable,
    );
  }

  /** A server of the same routes over plain HTTP. */
  plainServer(): Server {
    const options = { maxHeaderSize: MAX_HEADER_BYTES };
    return createHttpServer(options, this.getInstance<Express>()).on(
      'clientError',
      refuseUnreadable,
    );
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof FramedPieces) return replyInPieces(response, body, statusCode);
    if (!(body instanceof Framed)) return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    response.setHeader('Content-Type', body.contentType);
    response.setHeader('Content-Length', Buffer.byteLength(body.body));
    return response.end(body.body);
  }
}
