import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { ERRORS, Overloaded } from '../errors/error-codes';
import { currentResponse, newestResponse } from './pipelines';
import { JSON_TYPE } from './rendered-body';
import { type ParserError } from './raw-targets';

/**
 * Milliseconds that a refused connection stays open. The kernel resets a socket that is closed with
 * unread data, and the client may lose the response.
 */
const LINGER_MS = 1000;

const DETAILS: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'the path or query has characters that must be percent-encoded',
  HPE_HEADER_OVERFLOW: 'the request line and headers are too large',
  ERR_HTTP_SMALL_CHUNKS: 'the body arrives in too many small chunks',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
};

/** Maximum number of headers of a request. Each takes much more memory than its bytes. */
export const MAX_HEADERS = 100;

/** Maximum number of parameters of a query. Each takes much more memory than its bytes. */
const MAX_PARAMETERS = 1000;

/** The number of separators of parameters in a target. @param start where to begin */
export function countSeparators(target: string, start = 0): number {
  let count = 0;
  for (let at = target.indexOf('&', start); at >= 0; at = target.indexOf('&', at + 1)) count += 1;
  return count;
}

/** Whether the query of a target has more than {@link MAX_PARAMETERS} parameters. */
function hasTooManyParameters(target = ''): boolean {
  if (target.length <= MAX_PARAMETERS) return false;
  const query = target.indexOf('?');
  return query >= 0 && countSeparators(target, query) >= MAX_PARAMETERS;
}

/** The methods of all routes. */
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

/** A host with an optional port (RFC 9110, 7.2); it may be empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

/** Refused connections that will be closed. */
const refused = new WeakSet<Duplex>();

/** Method and path of an unparsable request, as far as they are readable (D4). */
function requestIn(text = ''): string {
  const [, method, target = ''] = /^([A-Z]{1,20}) (\S{1,2000})/.exec(text) ?? [];
  if (method === undefined) return '';
  // The expression may end between two surrogates, and `encodeURI` throws for one of them alone. An
  // exception in this event handler would end the process.
  const path = (target.split('?')[0] ?? '').toWellFormed();
  // A percent sign begins an encoding that the client has sent.
  return `${method} ${encodeURI(path).replaceAll('%25', '%')}`;
}

/** Whether it is an error of the HTTP parser or a timeout; after others no response is possible. */
const isReadable = (code = ''): boolean => code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');

/** A response that ends the connection. */
interface Refusal {
  readonly body: string;
  readonly headers: Record<string, string>;
}

function refusalOf(
  requestText: string | undefined,
  detail: string,
  { msg, code }: (typeof ERRORS)[keyof typeof ERRORS] = ERRORS.unknown,
): Refusal {
  const body = JSON.stringify({ msg, code, request: requestIn(requestText) });
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Error-Detail': detail,
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    Connection: 'close',
  };
  return { body, headers };
}

function textOf(status: string, { body, headers }: Refusal): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}

function responseTo(error: ParserError, text = error.rawPacket?.toString()): string {
  const detail = DETAILS[error.code ?? ''] ?? 'the request is not valid HTTP';
  return textOf('400 Bad Request', refusalOf(text, detail));
}

/**
 * Closes a connection to free the memory of its requests. If the response to the current request has
 * not begun, the client first gets 503 with code 999 (D5), even if the body is incomplete: a proxy
 * counts a server that closes connections without a response as failed.
 */
export function closeForMemory(socket: Socket): void {
  const response = currentResponse(socket);
  // A second status line would corrupt a response that has begun.
  if (!response || response.headersSent || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const { method, url } = response.req;
  const error = new Overloaded();
  const { body, headers } = refusalOf(`${method} ${url}`, String(error.detail));
  const refusal = { body, headers: { ...headers, ...error.headers } };
  socket.write(textOf('503 Service Unavailable', refusal), () => socket.destroy());
  destroyLater(socket);
}

/** Why a head is rejected: its version, its headers (RFC 9112), too many headers or parameters. */
function faultOfHead({
  headers,
  httpVersion,
  rawHeaders,
  url,
}: IncomingMessage): string | undefined {
  if (hasTooManyParameters(url)) return `the query has more than ${MAX_PARAMETERS} parameters`;
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return `the request has more than ${MAX_HEADERS} headers`;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the HTTP version is not supported';
  // Proxies disagree about where such a body ends (section 6.1).
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    return 'Transfer-Encoding requires HTTP/1.1';
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === '1.1' ? 'the request has no Host header' : undefined;
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return 'the request has several Host headers';
  return HOST.test(host) ? undefined : 'the Host header is not valid';
}

/** Whether the body has another transfer coding than `chunked`, which Node's parser ignores. */
const hasUnsupportedCoding = ({
  headers: { 'transfer-encoding': coding },
}: IncomingMessage): boolean => coding !== undefined && coding.toLowerCase() !== 'chunked';

/**
 * Responds 400 with code 999 to a request with another version than HTTP/1.1 and 1.0, to one without
 * a valid header Host (RFC 9112, 3.2), and to one with more than {@link MAX_HEADERS} headers or
 * {@link MAX_PARAMETERS} parameters; with code 1014 to CONNECT; 501 to one with an unknown transfer
 * coding (6.1).
 * Closes the connection after the response. Without the header Host, Node would respond before its
 * event `request`, so that nothing bounded the number of such responses.
 *
 * @returns false for a request that is valid
 */
export function refuseInvalidHead(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === 'CONNECT') {
    const text = `CONNECT ${request.url}`;
    const { body, headers } = refusalOf(text, 'the service opens no tunnels', ERRORS.wrongMethod);
    response.writeHead(400, { ...headers, Allow: ALLOWED_METHODS }).end(body);
    return true;
  }
  const fault = faultOfHead(request);
  if (fault === undefined && !hasUnsupportedCoding(request)) return false;
  const detail = fault ?? 'the only supported transfer coding is chunked';
  const refusal = refusalOf(`${request.method} ${request.url}`, detail);
  response.writeHead(fault === undefined ? 501 : 400, refusal.headers).end(refusal.body);
  return true;
}

/** Closes a connection after the response to a request that was received completely. */
function endAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  response.once('finish', () => {
    (socket as Socket).destroySoon();
  });
}

/** Closes a connection after {@link LINGER_MS}, also if its client reads nothing. */
function destroyLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** Sends a last response, and closes the connection soon. */
function endWith(text: string, socket: Duplex): void {
  socket.end(text);
  destroyLater(socket);
}

/** The error for a connection that its client ends inside a request. */
const ENDED_EARLY = 'HPE_INVALID_EOF_STATE';

/**
 * Responds 999 (D5) to requests that are not HTTP, too large or too slow. Then closes the
 * connection, even if the client does not read the response or close its side. Complete requests
 * before it get their responses first. If the newest of these is not complete, only the request
 * whose response is under way gets it.
 */
export function refuseUnreadable(error: ParserError, socket: Duplex): void {
  // Further data on this connection is ignored.
  if (refused.has(socket)) return;
  const response = currentResponse(socket);
  // More data after a request that ends its connection, whose response is under way.
  if (error.code === 'HPE_CLOSED_CONNECTION' && response) return;
  if (isReadable(error.code) && response?.req.complete && socket.writable) {
    refused.add(socket);
    const newest = newestResponse(socket);
    if (newest?.req.complete !== true) {
      endAfter(response, socket);
      return;
    }
    newest.once('finish', () => {
      // The newest request may have ended the connection. The data may begin with valid requests.
      if (socket.writable) endWith(responseTo(error, ''), socket);
    });
    return;
  }
  // A second status line would corrupt a response that has begun.
  if (!isReadable(error.code) || !socket.writable || response?.headersSent === true) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  endWith(responseTo(error), socket);
  // All data was read, so that the incomplete body can be freed at once.
  if (error.code === ENDED_EARLY) (socket as Socket).destroySoon();
}
