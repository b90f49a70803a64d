import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { json, urlencoded, type RequestHandler, type Response } from 'express';
import multer from 'multer';
import { from, switchMap, type Observable } from 'rxjs';
import { Settings } from '../config/settings';
import { malformed } from './errors';
import { type FramedRequest } from './frame';

type Encoding = 'json' | 'form' | 'multipart';

function encodingOf(request: FramedRequest): Encoding | undefined {
  if (request.is('application/json') || request.is('+json')) return 'json';
  if (request.is('application/x-www-form-urlencoded')) return 'form';
  return request.is('multipart/form-data') ? 'multipart' : undefined;
}

/** POST and PUT bodies are UTF-8 (specification section 1); another charset is unreadable (D5). */
function checkCharset(request: FramedRequest): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw malformed('the body must be UTF-8');
  }
}

const hasBody = (request: FramedRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined ||
  Number(request.headers['content-length'] ?? 0) > 0;

/** Ends the reading when the body as a whole is too large: multer limits single fields only. */
function limitSize(request: FramedRequest, limit: number, done: (error: Error) => void): void {
  let size = 0;
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limit) return;
    request.off('data', count);
    request.unpipe();
    // What is still under way is let go by, so that the answer can be read.
    request.resume();
    done(malformed('the body is too large'));
  };
  request.on('data', count);
}

/**
 * Reads the body of a write, in any of the three encodings (D8). It runs after the guards, so
 * that nobody makes the service read what it will refuse; a write without a body is fine.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly readers: Record<Encoding, RequestHandler>;
  private readonly limit: number;

  constructor(settings: Settings) {
    const limit = settings.MAX_BODY_BYTES;
    this.limit = limit;
    this.readers = {
      json: json({ limit, strict: true, type: () => true }),
      form: urlencoded({ limit, extended: false, type: () => true }),
      multipart: multer({
        limits: { fieldSize: limit, fields: 100, files: 0, parts: 100 },
      }).none(),
    };
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<FramedRequest>();
    const { method } = request;
    if (method === 'GET' || method === 'HEAD' || !hasBody(request)) return next.handle();
    return from(this.read(request, http.getResponse<Response>())).pipe(
      switchMap(() => next.handle()),
    );
  }

  private async read(request: FramedRequest, response: Response): Promise<void> {
    const encoding = encodingOf(request);
    if (!encoding) {
      throw malformed('Content-Type must be a form, multipart/form-data or application/json');
    }
    checkCharset(request);
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void => {
        if (error === undefined || error === null) resolve();
        else reject(error instanceof Error ? error : new Error('the body cannot be read'));
      };
      limitSize(request, this.limit, done);
      void this.readers[encoding](request, response, done);
    }).catch((error: unknown) => {
      throw toBodyError(error);
    });
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw malformed('the body must be an object of parameters');
    }
  }
}

/** Busboy's own errors (a cut or wrong multipart body) carry neither status nor type. */
function toBodyError(error: unknown): Error {
  if (error instanceof multer.MulterError) return error;
  const known = error as Partial<{ status: number }> & Error;
  return known.status === undefined ? malformed(`multipart: ${known.message}`) : known;
}
