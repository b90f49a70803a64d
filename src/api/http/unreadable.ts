import { type Duplex } from 'node:stream';
import { ERRORS } from '../errors/errors';
import { JSON_TYPE } from './request-context';

/**
 * Milliseconds that a connection is left open after it was refused. A socket that is closed with
 * unread data is reset, and the client may lose the response.
 */
const LINGER_MS = 1000;

const DETAILS: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'characters outside ASCII must be percent-encoded',
  HPE_HEADER_OVERFLOW: 'the request line and headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
};

/** Connections that were refused and are about to be closed. */
const refused = new WeakSet<Duplex>();

/** Method and path of a request that could not be parsed, as far as they can be made out (D4). */
function requestIn(packet: Buffer | undefined): string {
  const [, method, target = ''] =
    /^([A-Z]{1,20}) (\S{1,2000})/.exec(packet?.toString() ?? '') ?? [];
  return method === undefined ? '' : `${method} ${encodeURI(target.split('?')[0] ?? '')}`;
}

/** Errors of the HTTP parser and of its timeouts; all others leave nobody to answer. */
const isReadable = (code = ''): boolean => code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');

function responseTo(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): string {
  const { msg, code } = ERRORS.unknown;
  const body = JSON.stringify({ msg, code, request: requestIn(error.rawPacket) });
  const detail = DETAILS[error.code ?? ''] ?? 'this is no HTTP request';
  return (
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n` +
    `X-Error-Detail: ${detail}\r\nX-Content-Type-Options: nosniff\r\n` +
    'Access-Control-Allow-Origin: *\r\n' +
    `Connection: close\r\n\r\n${body}`
  );
}

/**
 * Answers what is no HTTP, too much of it, or too slow with 999 (D5), and closes the connection,
 * whether or not the client reads the response and closes its own side.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Duplex,
): void {
  // What else arrives until the connection is closed is as unreadable.
  if (refused.has(socket)) return;
  const { _httpMessage: response } = socket as { _httpMessage?: { headersSent: boolean } };
  // A second status line must not land inside a response that is under way.
  if (!isReadable(error.code) || !socket.writable || response?.headersSent === true) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  socket.end(responseTo(error));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
