import { type ServerResponse } from 'node:http';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Listeners of a response: those of each part of the service that follows it, and of the stream. */
const MAX_LISTENERS = 30;

/** Allows a response as many listeners as it has, of whose eleventh Node would warn as a leak. */
export function allowListeners(response: ServerResponse): void {
  response.setMaxListeners(MAX_LISTENERS);
}

/** Sends a stream as the body of a response. @throws Error when either ends early */
export function sendStream(stream: Readable, response: ServerResponse): Promise<void> {
  allowListeners(response);
  return pipeline(stream, response);
}
