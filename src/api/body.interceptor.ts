import {
  Injectable,
  Optional,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { json, urlencoded, type RequestHandler, type Response } from 'express';
import { finalize, from, switchMap, type Observable } from 'rxjs';
import { Settings } from '../config/settings';
import { checkCharset, checkFields, checkForm, checkJson, toBodyError } from './body-checks';
import { CaptchaStep } from './captcha.step';
import { malformed } from './errors';
import { type FramedRequest } from './frame';
import { IdempotencyStep } from './idempotency.step';
import { Moderator } from './moderation';
import { PartCounter } from './parts';
import { Turns } from './turns';
import {
  bodyLimit,
  NO_UPLOADS,
  PictureReceiver,
  type PictureUpload,
  type Uploads,
} from './uploads';

type Encoding = 'json' | 'form' | 'multipart';

function encodingOf(request: FramedRequest): Encoding | undefined {
  if (request.is('application/json') || request.is('+json')) return 'json';
  if (request.is('application/x-www-form-urlencoded')) return 'form';
  return request.is('multipart/form-data') ? 'multipart' : undefined;
}

/** A write without a body, or without a word on what it is, has no parameters (D8). */
const hasBody = (request: FramedRequest): boolean =>
  request.headers['content-type'] !== undefined &&
  (request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0);

/**
 * Bytes of a body that may have arrived without having been told apart into files and fields: what
 * one read brings, and what the parser holds back.
 */
const UNDER_WAY = 262_144;

/** Ends the reading when the body is too large: multer limits single fields only. */
function limitSize(
  request: FramedRequest,
  isTooLarge: (size: number) => boolean,
  done: (error: Error) => void,
): void {
  let size = 0;
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    if (!isTooLarge(size)) return;
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
  private readonly readers: Record<Exclude<Encoding, 'multipart'>, RequestHandler>;
  private readonly limit: number;
  /** Requests with pictures, of the whole process. */
  private readonly turns: Turns;

  constructor(
    settings: Settings,
    private readonly captcha: CaptchaStep,
    private readonly idempotency: IdempotencyStep,
    @Optional() private readonly moderator?: Moderator,
  ) {
    const limit = settings.MAX_BODY_BYTES;
    this.limit = limit;
    this.turns = new Turns(settings.MAX_UPLOADS);
    this.readers = {
      json: json({ limit, strict: true, type: () => true, verify: checkJson }),
      form: urlencoded({ limit, extended: false, type: () => true, verify: checkForm }),
    };
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<FramedRequest>();
    const { method } = request;
    if (method === 'GET' || method === 'HEAD') return next.handle();
    // The decorators of parameters, which read what is in the body, have no other way to it.
    request.moderator = this.moderator;
    // What needs a challenge solved does so once its body is read.
    const goOn = (): Observable<unknown> =>
      this.captcha.pass(request, { handle: () => this.idempotency.pass(request, next) });
    if (!hasBody(request)) return goOn();
    const response = http.getResponse<Response>();
    const uploads = request.frame.route?.uploads;
    if (!uploads || encodingOf(request) !== 'multipart') {
      return from(this.read(request, response)).pipe(switchMap(goOn));
    }
    // A turn lasts until the pictures are dealt with: that takes more memory than their bytes.
    return from(this.turn(response)).pipe(
      switchMap((end) =>
        from(this.readPictures(request, response, uploads)).pipe(switchMap(goOn), finalize(end)),
      ),
    );
  }

  /** Waits until the body may be read, or its sender has gone. */
  private async turn(response: Response): Promise<() => void> {
    const gone = new AbortController();
    const leave = (): void => {
      gone.abort(malformed('the body ended early'));
    };
    response.once('close', leave);
    if (response.destroyed) leave();
    return this.turns.take(1, gone.signal).finally(() => response.off('close', leave));
  }

  private async read(request: FramedRequest, response: Response): Promise<void> {
    const encoding = encodingOf(request);
    if (!encoding) {
      throw malformed('Content-Type must be a form, multipart/form-data or application/json');
    }
    const isTooLarge = (size: number): boolean => size > this.limit;
    if (encoding === 'multipart') await this.readParts(NO_UPLOADS, request, response, isTooLarge);
    else await this.readWith(this.readers[encoding], request, response, isTooLarge);
  }

  private async readPictures(
    request: FramedRequest,
    response: Response,
    uploads: Uploads,
  ): Promise<void> {
    const whole = bodyLimit(uploads, this.limit);
    request.pictures = await this.readParts(
      uploads,
      request,
      response,
      (size, seen) => size > whole || size - seen > this.limit + UNDER_WAY,
    );
  }

  /** @param isTooLarge told the bytes that came, and how many of them were of files */
  private async readParts(
    uploads: Uploads,
    request: FramedRequest,
    response: Response,
    isTooLarge: (size: number, seen: number) => boolean,
  ): Promise<readonly PictureUpload[]> {
    const receiver = new PictureReceiver(uploads);
    const parts = new PartCounter(request.headers['content-type'] ?? '');
    const reader: RequestHandler = (given, answer, done) => {
      given.on('data', (chunk: Buffer) => {
        parts.see(chunk);
      });
      return receiver.reader(this.limit)(given, answer, done);
    };
    await this.readWith(reader, request, response, (size) => isTooLarge(size, receiver.seen));
    const fields = checkFields(request.body as Record<string, unknown>, uploads);
    if (parts.count !== receiver.files + fields) {
      throw malformed('multipart: the headers of a part cannot be read');
    }
    return receiver.pictures;
  }

  private async readWith(
    reader: RequestHandler,
    request: FramedRequest,
    response: Response,
    isTooLarge: (size: number) => boolean,
  ): Promise<void> {
    checkCharset(request);
    // Its sender left before its turn came: nothing will ever arrive.
    if (request.destroyed) throw malformed('the body ended early');
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void => {
        if (error === undefined || error === null) resolve();
        else reject(error instanceof Error ? error : new Error('the body cannot be read'));
      };
      limitSize(request, isTooLarge, done);
      void reader(request, response, done);
    }).catch((error: unknown) => {
      throw toBodyError(error);
    });
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw malformed('the body must be an object of parameters');
    }
  }
}
