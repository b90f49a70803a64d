import { type IncomingMessage, type ServerResponse } from 'node:http';
import { skipRest } from './pipelines';

/**
 * Makes a response that begins before the body of its request has arrived the last one of its
 * connection (RFC 9112, 9.3). Otherwise a proxy might send the next request, perhaps of another
 * client, on a connection on which it has not completed this one: HAProxy 2.6 does so after an HTTP/2
 * client has reset its stream. The service would read the one as the rest of the body, and the rest of
 * the body as a request. Call it for each request with a body.
 *
 * The rest of the body is still read: an unread one would reset the connection, and the client might
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
      request.once('end', destroySoon);
    };
  });
}
