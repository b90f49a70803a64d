import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { Framed } from './frame';

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

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!(body instanceof Framed)) return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    response.setHeader('Content-Type', body.contentType);
    response.setHeader('Content-Length', Buffer.byteLength(body.body));
    return response.end(body.body);
  }
}
