import { type IncomingMessage, type ServerResponse } from 'node:http';
import { skipRest } from './pipelines';

/** Milliseconds in which the rest of a body must arrive after the response. */
const REST_MS = 5000;

/**
 * Closes the connection after a response that begins before the body of its request is complete
 * (RFC 9112, 9.3). Otherwise a proxy may send the request of another client on the connection, as
 * HAProxy 2.6 does after an HTTP/2 stream has ended before its body. The server would read that
 * request as part of the body, and bytes of the body as a request. Call it for each request with a
 * body.
 *
 * The rest of the body is still read: unread data would reset the connection, and the client might
 * lose the response.
 */
export function closeAfterEarlyResponse(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  let { shouldKeepAlive } = response;
  // Node reads it when it writes the head.
  Object.defineProperty(response, 'shouldKeepAlive', {
    get: () => shouldKeepAlive && request.complete,
    set: (value: boolean) => {
      shouldKeepAlive = value;
    },
  });
  response.once('prefinish', () => {
    if (request.complete) return;
    skipRest(socket);
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls it after the response.
    socket.destroySoon = () => {
      socket.destroySoon = destroySoon;
      if (request.complete) {
        destroySoon();
        return;
      }
      socket.end();
      const timer = setTimeout(() => socket.destroy(), REST_MS).unref();
      socket.once('close', () => {
        clearTimeout(timer);
      });
      request.once('end', destroySoon);
    };
  });
}
