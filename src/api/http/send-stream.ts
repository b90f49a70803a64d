import { type ServerResponse } from 'node:http';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Listeners of a response: those of each part of the service that follows it, and of the stream. */
const MAX_LISTENERS = 30;

/** Allows a response as many listeners as it has, of whose eleventh Node would warn as a leak. */
export function allowListeners(response: ServerResponse): void {
  response.setMaxListeners(MAX_LISTENERS);
}

/** Errors of a pipeline into a response whose client leaves, or has left before. */
const CLIENT_LEFT = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

/**
 * Sends a stream as the body of a response, until its end or until the client leaves. The stream is
 * destroyed then. For HEAD it is not read.
 * @throws Error when the stream fails
 */
export async function sendStream(stream: Readable, response: ServerResponse): Promise<void> {
  allowListeners(response);
  // It may also fail while nothing reads it any more.
  stream.on('error', () => undefined);
  try {
    if (response.req.method === 'HEAD') response.end();
    else await pipeline(stream, response);
  } catch (error) {
    if (!CLIENT_LEFT.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    // If the client had left, the pipeline has not taken the stream.
    stream.destroy();
  }
}
