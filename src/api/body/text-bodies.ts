import { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { json, urlencoded, type RequestHandler, type Response } from 'express';
import { malformed } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { SMALL_BODY_BYTES } from '../http/request-memory';
import { AddressSemaphore } from './address-semaphore';
import { checkForm, checkJson } from './body-checks';
import { awaitBody, checkParameters, checkParts, runParser } from './body-reader';
import { checkLimit, type BodyPace } from './body-watch';
import { BudgetUse, ByteBudget } from './byte-budget';
import { MAX_JSON_VALUES, MAX_PUBLIC_VALUES } from './json-values';
import { PUBLIC_BODY_BYTES } from './large-forms';
import { PartCounter } from './parts';
import { ReceivedBody } from './received-body';
import { Spool, type SpoolFolder } from './spool';
import { WAIT_MS, waitForTurn } from './turn';
import { NO_UPLOADS, PictureReceiver } from './uploads';

/** Bytes of complete bodies that are processed at once; those of one address are at most half of it. */
const PROCESSED_BYTES = 8_388_608;

/** Bytes of bodies of one address that may be on disk, or twice the largest body, if that is more. */
const DISK_BYTES_OF_ADDRESS = 67_108_864;

/** Bytes in memory that wait to be written to disk, of all addresses and of one. */
const PENDING_WRITE_BYTES = 50_331_648;
const PENDING_WRITE_BYTES_OF_ADDRESS = 12_582_912;

type Encoding = 'json' | 'form' | 'multipart';

/** The encoding of a body; without a Content-Type it is a form (D43). */
export function encodingOf(request: ApiRequest): Encoding | undefined {
  if (!request.headers['content-type']) return 'form';
  if (request.is('application/json') || request.is('+json')) return 'json';
  if (request.is('application/x-www-form-urlencoded')) return 'form';
  return request.is('multipart/form-data') ? 'multipart' : undefined;
}

/** The number of bytes that a body may have when it is decompressed. */
function decodedSize({ headers }: ApiRequest, size: number, limit: number): number {
  const { 'content-encoding': encoding = 'identity' } = headers;
  return encoding.toLowerCase() === 'identity' ? size : limit;
}

/**
 * Frees the parameters of a request when its response is complete: the client may read it slowly,
 * and a connection keeps its last request while it is open.
 */
export function forgetAtEnd(request: ApiRequest, response: Response): void {
  response.once('prefinish', () => {
    request.body = undefined;
    // It holds the handler of the route with its input.
    request.context.recheckAccess = undefined;
    const { refusal } = request.context;
    // An error holds the functions of its stack, and their values, until the stack is read as text.
    if (refusal) String(refusal.stack);
  });
}

/** Body parsers with one size limit. */
interface Parsers extends Record<Exclude<Encoding, 'multipart'>, RequestHandler> {
  readonly limit: number;
}

/** @param limit maximum bytes of a body; those of public routes have fewer values, too */
const parsersUpTo = (limit: number): Parsers => ({
  limit,
  json: json({
    ...{ limit, strict: true, type: () => true },
    verify: checkJson(limit > PUBLIC_BODY_BYTES ? MAX_JSON_VALUES : MAX_PUBLIC_VALUES),
  }),
  form: urlencoded({ limit, extended: false, type: () => true, verify: checkForm }),
});

/**
 * Reads bodies without pictures. Their size bounds neither the memory of the process nor the
 * service for others:
 *
 * - Bodies that arrive use a budget of memory, of which one address has a share. The rest is on disk.
 *   Each address has a share of the disk, and of the memory for pending writes.
 * - A complete body waits for its turn. It is parsed then, which takes more memory than its bytes.
 * - Neither applies to bodies of up to {@link SMALL_BODY_BYTES}.
 */
export class TextBodies {
  private readonly turns = new AddressSemaphore(PROCESSED_BYTES);
  /** Memory for data that waits to be written to disk: many bodies may wait for a slow one. */
  private readonly pendingWrites = new ByteBudget(
    PENDING_WRITE_BYTES,
    PENDING_WRITE_BYTES_OF_ADDRESS,
  );
  private readonly onDisk: ByteBudget;
  private readonly parsers = new Map<number, Parsers>();
  /** Fulfilled in the iteration of the event loop in which the last large body is parsed. */
  private lastIteration = Promise.resolve();

  /**
   * @param folder for bodies that exceed the memory
   * @param arriving memory for bodies that are not complete
   */
  constructor(
    private readonly pace: BodyPace,
    private readonly folder: SpoolFolder,
    private readonly arriving: ByteBudget,
    maxBytes: number,
  ) {
    this.onDisk = new ByteBudget(Infinity, Math.max(DISK_BYTES_OF_ADDRESS, 2 * maxBytes));
  }

  /**
   * Reads the body of a request, and stores its parameters in the request.
   *
   * @param limit maximum size in bytes, also after decompression
   * @returns a function to call when the request is processed; undefined for a small body
   * @throws ApiError 999
   */
  async read(
    request: ApiRequest,
    response: Response,
    limit: number,
  ): Promise<(() => void) | undefined> {
    const encoding = encodingOf(request);
    if (!encoding) {
      throw malformed('Content-Type must be a form, multipart/form-data or application/json');
    }
    const { addressKey } = request.context;
    const spool = new Spool(this.folder, addressKey);
    const memory = new BudgetUse(this.arriving, addressKey);
    const pending = new BudgetUse(this.pendingWrites, addressKey);
    const disk = new BudgetUse(this.onDisk, addressKey);
    const contentLength = Number(request.headers['content-length'] ?? Infinity);
    const body = new ReceivedBody(memory, pending, disk, spool, contentLength);
    let end: (() => void) | undefined;
    try {
      await this.receive(request, body, limit);
      const weight = decodedSize(request, body.size, limit);
      if (weight > SMALL_BODY_BYTES) {
        const reason = 'too many large bodies are being processed';
        end = await waitForTurn(response, WAIT_MS, reason, (gone) =>
          this.turns.acquire(addressKey, gone, weight),
        );
      }
      const bytes = await body.bytes();
      if (end) await this.nextIteration();
      memory.release();
      await this.parse(encoding, bytes, request, response, limit);
    } catch (error) {
      end?.();
      throw error;
    } finally {
      // An error that the request keeps may refer to it.
      body.discard();
      memory.release();
      pending.release();
      spool.close(() => {
        disk.release();
      });
    }
    return end;
  }

  /** Receives a body until it is complete. */
  private async receive(request: ApiRequest, body: ReceivedBody, limit: number): Promise<void> {
    const check = checkLimit(limit);
    const tooLarge = check(Number(request.headers['content-length']));
    if (tooLarge) throw tooLarge;
    let stop = (): void => undefined;
    await awaitBody(request, this.pace, check, (done) => {
      let writing: Promise<void> | undefined;
      const fail = (error: unknown): void => {
        stop();
        // Discards the remaining body, so that the client can read the response.
        request.resume();
        done(error);
      };
      const onData = (chunk: Buffer): void => {
        writing = body.append(chunk);
        if (!writing) return;
        request.pause();
        writing.then(() => request.resume(), fail);
      };
      // A paused stream ends, too.
      const onEnd = (): void => {
        if (writing) writing.then(() => done(), fail);
        else done();
      };
      const onClose = (): void => {
        // It follows the end.
        if (!request.readableEnded) done(malformed('the body ended early'));
      };
      stop = () => {
        request.off('data', onData).off('end', onEnd).off('close', onClose);
      };
      request.on('data', onData).once('end', onEnd).once('close', onClose);
    }).finally(() => {
      stop();
    });
  }

  /**
   * Waits for an iteration of the event loop in which no other large body is parsed. Each takes some
   * milliseconds; other requests are served between two of them.
   */
  private nextIteration(): Promise<void> {
    this.lastIteration = this.lastIteration.then(() => immediate());
    return this.lastIteration;
  }

  private async parse(
    encoding: Encoding,
    bytes: Buffer,
    request: ApiRequest,
    response: Response,
    limit: number,
  ): Promise<void> {
    // The parsers read a stream with the headers of the request.
    const complete = Object.assign(Readable.from([bytes]), {
      headers: request.headers,
    }) as unknown as ApiRequest;
    if (encoding === 'multipart') {
      const receiver = new PictureReceiver(NO_UPLOADS);
      const parts = new PartCounter(request.headers['content-type'] ?? '');
      parts.see(bytes);
      await runParser(receiver.reader(limit), complete, response);
      checkParts(complete.body, parts, receiver, NO_UPLOADS);
    } else {
      await runParser(this.parsersUpTo(limit)[encoding], complete, response);
      checkParameters(complete.body);
    }
    request.body = complete.body as unknown;
  }

  private parsersUpTo(limit: number): Parsers {
    let parsers = this.parsers.get(limit);
    if (!parsers) this.parsers.set(limit, (parsers = parsersUpTo(limit)));
    return parsers;
  }
}
