import { PassThrough } from 'node:stream';
import { type RequestHandler, type Response } from 'express';
import { malformed } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { checkCharset, checkFields, toBodyError } from './body-checks';
import { watchBody, type BodyPace, type SizeCheck } from './body-watch';
import { type PartCounter } from './parts';
import { type PictureReceiver, type Uploads } from './uploads';

/**
 * Awaits a body that is read while it arrives.
 *
 * @param check receives the number of bytes that have arrived
 * @param start begins to read; it calls its argument at the end, or with an error
 * @throws ApiError 999, or the error of the parser
 */
export async function awaitBody(
  request: ApiRequest,
  pace: BodyPace,
  check: SizeCheck,
  start: (done: (error?: unknown) => void) => void,
): Promise<void> {
  checkCharset(request);
  // The client left before its turn: no further data will arrive.
  if (request.destroyed) throw malformed('the body ended early');
  let stop = (): void => undefined;
  await settled((done) => {
    stop = watchBody(request, pace, check, done);
    start(done);
  }).finally(() => {
    stop();
  });
}

/** Runs a parser on a body. @throws the error of the parser */
export const runParser = (
  parser: RequestHandler,
  request: ApiRequest,
  response: Response,
): Promise<void> =>
  settled((done) => {
    void parser(request, response, done);
  });

/** High-water mark of the stream between a body and its parser, in bytes. */
const STREAM_BUFFER_BYTES = 16_384;

/**
 * Runs a multipart parser on a body while it arrives, and stores its fields in the request. If the
 * parser fails, the rest of the body is discarded, so that the client can read the response. The
 * parser gets a stream of its own: it waits for the end of its stream when it fails.
 *
 * @param done called at the end, or with the error of the parser
 */
export function parseArriving(
  parser: RequestHandler,
  request: ApiRequest,
  response: Response,
  done: (error?: unknown) => void,
): void {
  const body = Object.assign(new PassThrough({ highWaterMark: STREAM_BUFFER_BYTES }), {
    headers: request.headers,
  });
  const endEarly = (): void => {
    if (!request.readableEnded) body.destroy();
  };
  // The client has left, or the body is rejected.
  request.once('close', endEarly);
  body.once('unpipe', endEarly);
  request.pipe(body);
  const parsed = body as unknown as ApiRequest;
  void parser(parsed, response, (error?: unknown) => {
    request.off('close', endEarly);
    request.unpipe(body);
    request.resume();
    request.body = parsed.body as unknown;
    done(error);
  });
}

async function settled(start: (done: (error?: unknown) => void) => void): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      start((error) => {
        if (error === undefined || error === null) resolve();
        else reject(error instanceof Error ? error : new Error('the body cannot be read'));
      });
    });
  } catch (error) {
    throw toBodyError(error);
  }
}

/** Checks that a parsed body has parameters. @throws ApiError 999 */
export function checkParameters(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw malformed('the body must be an object of parameters');
  }
}

/** Checks the parsed parts of a multipart body. @throws ApiError 999 */
export function checkParts(
  body: unknown,
  parts: PartCounter,
  receiver: PictureReceiver,
  uploads: Uploads,
): void {
  checkParameters(body);
  const fields = checkFields(body as Record<string, unknown>, uploads);
  if (parts.count !== receiver.files + fields) {
    throw malformed('multipart: the headers of a part are malformed');
  }
}
