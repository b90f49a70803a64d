import { createServer } from 'node:http';
import { type Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { ERRORS } from './errors';
import { Framed, JSON_TYPE } from './frame';

/** Bytes of request line and headers together: a query may hold 5,000 Chinese characters. */
const MAX_HEADER_BYTES = 65_536;

/** What is no HTTP, or too much of it, never becomes a request: 999 all the same (D5). */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { msg, code } = ERRORS.unknown;
  const body = JSON.stringify({ msg, code, request: '' });
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Error-Detail: ${tooLarge ? 'the request line and headers are too large' : 'this is no HTTP request'}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

/**
 * Express as Nest drives it, except that finished answers are written as they are: no second
 * look at their type, no ETag hashed over every body.
 */
export class ApiAdapter extends ExpressAdapter {
  constructor() {
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
    const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, this.getInstance<Express>());
    server.on('clientError', refuseUnreadable);
    this.httpServer = server;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!(body instanceof Framed)) return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    response.setHeader('Content-Type', body.contentType);
    response.setHeader('Content-Length', Buffer.byteLength(body.body));
    return response.end(body.body);
  }
}
