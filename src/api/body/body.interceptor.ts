import {
  Injectable,
  Optional,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { json, urlencoded, type RequestHandler, type Response } from 'express';
import { finalize, from, switchMap, type Observable } from 'rxjs';
import { Settings } from '../../config/settings';
import { AccessGuard } from '../access/access.guard';
import { TierGuard } from '../access/tier.guard';
import { checkCharset, checkFields, checkForm, checkJson, toBodyError } from './body-checks';
import { watchBody, type BodyPace } from './body-watch';
import { CaptchaStep } from '../writes/captcha.step';
import { malformed, unavailable } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { TEST_FAULT_HEADER } from '../limits/test-fault';
import { IdempotencyStep } from '../writes/idempotency.step';
import { KeyedSemaphore } from './keyed-semaphore';
import { Moderator } from '../writes/moderation';
import { PartCounter } from './parts';
import { Spool } from './spool';
import { AddressSemaphore } from './address-semaphore';
import { bodyLimit, NO_UPLOADS, PictureReceiver, type Uploads } from './uploads';

type Encoding = 'json' | 'form' | 'multipart';

/** The encoding of a body; without a Content-Type it is a form (D43). */
function encodingOf(request: ApiRequest): Encoding | undefined {
  if (!request.headers['content-type']) return 'form';
  if (request.is('application/json') || request.is('+json')) return 'json';
  if (request.is('application/x-www-form-urlencoded')) return 'form';
  return request.is('multipart/form-data') ? 'multipart' : undefined;
}

/** A write without a body has no parameters (D8). */
const hasBody = ({ headers }: ApiRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a test key may have asked for a delay after the guards. */
const mayHaveWaited = ({ context, headers }: ApiRequest): boolean =>
  context.caller.application?.isTest === true && headers[TEST_FAULT_HEADER] !== undefined;

/**
 * Bytes of a body that may have arrived but are not yet assigned to files or fields. They are one
 * read, and the buffers of the parser and the files.
 */
const UNDER_WAY = 524_288;

/** Maximum body size of public routes in bytes: forms of pages, and token requests. */
const PUBLIC_BODY_BYTES = 65_536;

/** Milliseconds that an upload waits for other uploads of its user before it is received. */
const WAIT_FOR_USER_MS = 15_000;

/** Milliseconds that a completely received upload waits to be processed. */
const WAIT_MS = 60_000;

/** Body parsers with one size limit. */
interface Readers extends Record<Exclude<Encoding, 'multipart'>, RequestHandler> {
  readonly limit: number;
}

const readersUpTo = (limit: number): Readers => ({
  limit,
  json: json({ limit, strict: true, type: () => true, verify: checkJson }),
  form: urlencoded({ limit, extended: false, type: () => true, verify: checkForm }),
});

/**
 * Reads the body of a write, in any of the three encodings (D8). It runs after the guards, so that
 * the service does not read the body of a request that it rejects. A client can send its body for
 * minutes, so the rights of the caller are checked again after it (D13), and after the delay of a
 * test key, also of a read. A write needs no body.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly readers: Readers;
  /** Parsers for public routes, which have no rate limit. */
  private readonly publicReaders: Readers;
  private readonly pace: BodyPace;
  /** Folder of {@link Spool}. */
  private readonly folder: string;
  /**
   * Limits the completely received uploads of the process that are processed at once. Pictures of a
   * few kilobytes can take seconds to decode.
   */
  private readonly turns: AddressSemaphore;
  /** Limits the uploads of each user, from their first byte. */
  private readonly ofUsers: KeyedSemaphore<number>;

  constructor(
    settings: Settings,
    private readonly access: AccessGuard,
    private readonly tiers: TierGuard,
    private readonly captcha: CaptchaStep,
    private readonly idempotency: IdempotencyStep,
    @Optional() private readonly moderator?: Moderator,
  ) {
    this.readers = readersUpTo(settings.MAX_BODY_BYTES);
    this.publicReaders = readersUpTo(Math.min(settings.MAX_BODY_BYTES, PUBLIC_BODY_BYTES));
    this.pace = { rate: settings.MIN_BODY_RATE, seconds: settings.MIN_BODY_RATE_SECONDS };
    this.folder = settings.uploadsDir;
    this.turns = new AddressSemaphore(settings.MAX_UPLOADS);
    this.ofUsers = new KeyedSemaphore(settings.MAX_UPLOADS_PER_USER);
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { method } = request;
    const afterRecheck = (proceed: () => Observable<unknown>): Observable<unknown> =>
      from(this.recheck(execution)).pipe(switchMap(proceed));
    if (method === 'GET' || method === 'HEAD') {
      return mayHaveWaited(request) ? afterRecheck(() => next.handle()) : next.handle();
    }
    // Parameter decorators validate the body and have no access to providers.
    request.moderator = this.moderator;
    // The captcha check needs the body, which may contain the solution.
    const goOn = (): Observable<unknown> =>
      this.captcha.pass(request, { handle: () => this.idempotency.pass(request, next) });
    const recheckAndGoOn = (): Observable<unknown> => afterRecheck(goOn);
    const onceRead = !request.complete || mayHaveWaited(request) ? recheckAndGoOn : goOn;
    if (!hasBody(request)) return onceRead();
    const response = http.getResponse<Response>();
    const uploads = request.context.route?.uploads;
    if (!uploads || encodingOf(request) !== 'multipart') {
      return from(this.read(request, response)).pipe(switchMap(onceRead));
    }
    // The turn lasts until the pictures are processed, which takes more memory than their bytes.
    // A complete upload may have waited for its turn.
    return from(this.receive(request, response, uploads)).pipe(
      switchMap((end) => recheckAndGoOn().pipe(finalize(end))),
    );
  }

  /** Checks the access and the tier of a request again. @throws ApiError like the guards */
  private async recheck(execution: ExecutionContext): Promise<void> {
    await this.access.recheck(execution);
    this.tiers.canActivate(execution);
  }

  /**
   * Receives the pictures of a request: to disk while they arrive, and into memory when they are
   * complete and it is their turn. The number of concurrent uploads of a user is limited.
   *
   * @returns a function that ends the turn
   */
  private async receive(
    request: ApiRequest,
    response: Response,
    uploads: Uploads,
  ): Promise<() => void> {
    const { caller, writer } = request.context;
    const userId = caller.user?.id ?? writer;
    const leave =
      userId === undefined
        ? (): void => undefined
        : await waiting(response, WAIT_FOR_USER_MS, (gone) => this.ofUsers.acquire(userId, gone));
    const spool = new Spool(this.folder);
    try {
      const receiver = await this.readPictures(request, response, uploads, spool);
      const address = request.context.addressKey;
      const end = await waiting(response, WAIT_MS, (gone) => this.turns.acquire(address, gone));
      try {
        request.pictures = await receiver.pictures();
      } catch (error) {
        end();
        throw error;
      }
      return () => {
        end();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    } finally {
      await spool.close();
    }
  }

  private readersOf({ context }: ApiRequest): Readers {
    return context.route?.scope === null ? this.publicReaders : this.readers;
  }

  private async read(request: ApiRequest, response: Response): Promise<void> {
    const encoding = encodingOf(request);
    if (!encoding) {
      throw malformed('Content-Type must be a form, multipart/form-data or application/json');
    }
    const readers = this.readersOf(request);
    const isTooLarge = (size: number): boolean => size > readers.limit;
    if (encoding === 'multipart') {
      await this.readParts(
        new PictureReceiver(NO_UPLOADS),
        NO_UPLOADS,
        request,
        response,
        isTooLarge,
      );
    } else {
      await this.readWith(readers[encoding], request, response, isTooLarge);
    }
  }

  private async readPictures(
    request: ApiRequest,
    response: Response,
    uploads: Uploads,
    spool: Spool,
  ): Promise<PictureReceiver> {
    const { limit } = this.readersOf(request);
    const receiver = new PictureReceiver(uploads, spool);
    const maxBytes = bodyLimit(uploads, limit);
    const isTooLarge = (size: number): boolean =>
      size > maxBytes || (!receiver.failed && size - receiver.seen > limit + UNDER_WAY);
    await this.readParts(receiver, uploads, request, response, isTooLarge);
    return receiver;
  }

  private async readParts(
    receiver: PictureReceiver,
    uploads: Uploads,
    request: ApiRequest,
    response: Response,
    isTooLarge: (size: number) => boolean,
  ): Promise<void> {
    const { limit } = this.readersOf(request);
    const parts = new PartCounter(request.headers['content-type'] ?? '');
    const reader: RequestHandler = (request, response, done) => {
      request.on('data', (chunk: Buffer) => {
        parts.see(chunk);
      });
      return receiver.reader(limit)(request, response, done);
    };
    await this.readWith(reader, request, response, isTooLarge);
    const fields = checkFields(request.body as Record<string, unknown>, uploads);
    if (parts.count !== receiver.files + fields) {
      throw malformed('multipart: the headers of a part are malformed');
    }
  }

  private async readWith(
    reader: RequestHandler,
    request: ApiRequest,
    response: Response,
    isTooLarge: (size: number) => boolean,
  ): Promise<void> {
    checkCharset(request);
    // The client left before its turn: no further data will arrive.
    if (request.destroyed) throw malformed('the body ended early');
    let stop = (): void => undefined;
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void => {
        if (error === undefined || error === null) resolve();
        else reject(error instanceof Error ? error : new Error('the body cannot be read'));
      };
      stop = watchBody(request, this.pace, isTooLarge, done);
      void reader(request, response, done);
    })
      .finally(stop)
      .catch((error: unknown) => {
        throw toBodyError(error);
      });
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw malformed('the body must be an object of parameters');
    }
  }
}

/**
 * Waits for a turn, until the client leaves or the time limit passes.
 *
 * @throws ApiError 999; status 503 after the time limit
 */
async function waiting(
  response: Response,
  milliseconds: number,
  take: (gone: AbortSignal) => Promise<() => void>,
): Promise<() => void> {
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort(malformed('the body ended early'));
  };
  const timer = setTimeout(() => {
    gone.abort(unavailable(new Error('too many requests with pictures are being received')));
  }, milliseconds);
  response.once('close', leave);
  if (response.destroyed) leave();
  return take(gone.signal).finally(() => {
    clearTimeout(timer);
    response.off('close', leave);
  });
}
