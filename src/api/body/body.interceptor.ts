import {
  Injectable,
  Optional,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { type Response } from 'express';
import { finalize, from, switchMap, type Observable } from 'rxjs';
import { Settings } from '../../config/settings';
import { AccessGuard } from '../access/access.guard';
import { TierGuard } from '../access/tier.guard';
import { awaitBody, checkParts, parseArriving } from './body-reader';
import { type BodyPace, type SizeCheck } from './body-watch';
import { PendingBytes } from './batched-writes';
import { BudgetUse, ByteBudget } from './byte-budget';
import { malformed, unavailable } from '../errors/error-codes';
import { CaptchaStep } from '../writes/captcha.step';
import { type ApiRequest } from '../http/request-context';
import { isSafe } from '../http/safe-methods';
import { TEST_FAULT_HEADER } from '../limits/test-fault';
import { IdempotencyStep } from '../writes/idempotency.step';
import { KeyedSemaphore } from './keyed-semaphore';
import { Moderator } from '../writes/moderation';
import { isLargeFormAllowed, PUBLIC_BODY_BYTES } from './large-forms';
import { PartCounter } from './parts';
import { Spool, SpoolFolder } from './spool';
import { encodingOf, forgetAtEnd, TextBodies } from './text-bodies';
import { waitForTurn } from './turn';
import { bodyLimit, PictureReceiver, type Uploads } from './uploads';

/** A write without a body has no parameters (D8). */
const hasBody = ({ headers }: ApiRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a test key may have asked for a delay after the guards. */
const mayHaveWaited = ({ context, headers }: ApiRequest): boolean =>
  context.caller.application?.isTest === true && headers[TEST_FAULT_HEADER] !== undefined;

/**
 * Bytes of a body that may have arrived but are not yet assigned to files or fields. They are one
 * read, and the buffers of the stream before the parser, of the parser, and of the files.
 */
const UNDER_WAY = 524_288;

/** Bytes of arriving bodies in memory, of all addresses and of one; more if a body may have more. */
const ARRIVING_BYTES = 33_554_432;
const ARRIVING_BYTES_OF_ADDRESS = 8_388_608;

/** Bytes of pictures of one address that may be on disk: those of 8 of the largest requests. */
const DISK_BYTES_OF_ADDRESS = 536_870_912;

/** Bytes of pictures in memory that wait to be written to disk, of all addresses and of one. */
const PENDING_WRITE_BYTES = 33_554_432;
const PENDING_WRITE_BYTES_OF_ADDRESS = 4_194_304;

/** Bytes of the text of an upload, and of what is under way, that are always in memory. */
const SMALL_TEXT = 262_144;

/** Milliseconds that an upload waits for other uploads of its user before it is received. */
const WAIT_FOR_USER_MS = 15_000;

/** Why a request with pictures waited too long. */
const TOO_MANY = 'too many requests with pictures are being received';

/** What an upload uses of the budgets. */
interface UploadBudgets {
  /** For the text, in memory. */
  readonly text: BudgetUse;
  /** For the pictures. */
  readonly disk: BudgetUse;
}

/**
 * Reads the body of a write, in any of the three encodings (D8). It runs after the guards, so that
 * the service does not read the body of a request that it rejects. A client can send its body for
 * minutes, so the rights of the caller are checked again after it (D13), and after the delay of a
 * test key, also of a read. A write needs no body.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly limit: number;
  /** Maximum body size of public routes, which have no rate limit, unless a guard raises it. */
  private readonly publicLimit: number;
  /** Memory for bodies that are not complete. */
  private readonly arriving: ByteBudget;
  private readonly texts: TextBodies;
  private readonly pace: BodyPace;
  /** Disk space for pictures that arrive, so that other addresses have room there. */
  private readonly onDisk = new ByteBudget(Infinity, DISK_BYTES_OF_ADDRESS);
  private readonly pendingWrites = new ByteBudget(
    PENDING_WRITE_BYTES,
    PENDING_WRITE_BYTES_OF_ADDRESS,
  );
  /** Limits the uploads of each user, from their first byte. */
  private readonly ofUsers: KeyedSemaphore<number>;

  constructor(
    settings: Settings,
    private readonly folder: SpoolFolder,
    private readonly access: AccessGuard,
    private readonly tiers: TierGuard,
    private readonly captcha: CaptchaStep,
    private readonly idempotency: IdempotencyStep,
    @Optional() private readonly moderator?: Moderator,
  ) {
    this.limit = settings.MAX_BODY_BYTES;
    this.publicLimit = Math.min(settings.MAX_BODY_BYTES, PUBLIC_BODY_BYTES);
    // A string may take two bytes for each byte of the body.
    const largest = 2 * (this.limit + UNDER_WAY);
    const ofAddress = Math.max(ARRIVING_BYTES_OF_ADDRESS, largest);
    this.arriving = new ByteBudget(Math.max(ARRIVING_BYTES, 2 * ofAddress), ofAddress);
    this.pace = { rate: settings.MIN_BODY_RATE, seconds: settings.MIN_BODY_RATE_SECONDS };
    this.texts = new TextBodies(this.pace, this.folder, this.arriving, this.limit);
    this.ofUsers = new KeyedSemaphore(settings.MAX_UPLOADS_PER_USER);
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { method } = request;
    const afterRecheck = (proceed: () => Observable<unknown>): Observable<unknown> =>
      from(this.recheck(execution)).pipe(switchMap(proceed));
    if (isSafe(method)) {
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
    forgetAtEnd(request, response);
    request.context.recheckAccess = () => this.recheck(execution);
    const uploads = request.context.route?.uploads;
    if (!uploads || encodingOf(request) !== 'multipart') {
      return from(this.texts.read(request, response, this.limitOf(request))).pipe(
        switchMap((end) => {
          if (!end) return onceRead();
          if (!this.isPublicForm(request)) return recheckAndGoOn().pipe(finalize(end));
          // Forms of pages are small, and may wait for a long time: sign-ins, for their turn.
          end();
          return recheckAndGoOn();
        }),
      );
    }
    // The files are on disk until the pictures are processed.
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
   * Receives the pictures of a request to disk. They are read from there one at a time: 20 of them
   * have 60 MB. The number of concurrent uploads of a user is limited.
   *
   * @returns a function that frees the disk space
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
        : await waitForTurn(response, WAIT_FOR_USER_MS, TOO_MANY, (gone) =>
            this.ofUsers.acquire(userId, gone),
          );
    const { addressKey } = request.context;
    const spool = new Spool(this.folder, addressKey);
    const text = new BudgetUse(this.arriving, addressKey);
    const disk = new BudgetUse(this.onDisk, addressKey);
    const pending = new BudgetUse(this.pendingWrites, addressKey);
    const end = (): void => {
      // Until the file is closed, its bytes are on the disk.
      spool.close(() => {
        disk.release();
      });
      pending.close();
      text.release();
      leave();
    };
    try {
      const receiver = new PictureReceiver(uploads, { spool, pending: new PendingBytes(pending) });
      await this.readPictures(request, response, uploads, receiver, { text, disk });
      request.pictures = receiver.pictures;
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Whether the body of a request has the limit of public routes. */
  private isPublicForm(request: ApiRequest): boolean {
    return request.context.route?.scope === null && !isLargeFormAllowed(request);
  }

  private limitOf(request: ApiRequest): number {
    return this.isPublicForm(request) ? this.publicLimit : this.limit;
  }

  private async readPictures(
    request: ApiRequest,
    response: Response,
    uploads: Uploads,
    receiver: PictureReceiver,
    { text, disk }: UploadBudgets,
  ): Promise<void> {
    const limit = this.limitOf(request);
    const parts = new PartCounter(request.headers['content-type'] ?? '');
    const maxBytes = bodyLimit(uploads, limit);
    let received = 0;
    const textBytes = (): number => (receiver.failed ? 0 : received - receiver.seen);
    const check: SizeCheck = (size) => {
      received = size;
      if (size > maxBytes || textBytes() > limit + UNDER_WAY)
        return malformed('the body is too large');
      const hasRoom = text.growTo(textBytes() - SMALL_TEXT) && disk.growTo(receiver.seen);
      return hasRoom ? undefined : unavailable(undefined);
    };
    const see = (chunk: Buffer): void => {
      parts.see(chunk);
    };
    await awaitBody(request, this.pace, check, (done) => {
      request.on('data', see);
      parseArriving(receiver.reader(limit), request, response, done);
    }).finally(() => request.off('data', see));
    // The fields are in memory until the response. A string may take two bytes for each byte.
    text.release();
    if (!text.growTo(2 * (textBytes() - SMALL_TEXT))) throw unavailable(undefined);
    checkParts(request.body, parts, receiver, uploads);
  }
}
