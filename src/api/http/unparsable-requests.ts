import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { ERRORS } from '../errors/error-codes';
import { currentResponse } from './pipelines';
import { JSON_TYPE } from './request-context';
import { readsBodyAfterResponse, type ParserError } from './raw-targets';

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

/** The detail of a request without the header Host. */
const NO_HOST = 'the request has no Host header';

/** Refused connections that will be closed. */
const refused = new WeakSet<Duplex>();

/** Method and path of an unparsable request, as far as they are readable (D4). */
function requestIn(text = ''): string {
  const [, method, target = ''] = /^([A-Z]{1,20}) (\S{1,2000})/.exec(text) ?? [];
  if (method === undefined) return '';
  // The expression may end between two surrogates, and `encodeURI` throws for one of them alone. An
  // exception in this event handler would end the process.
  const path = (target.split('?')[0] ?? '').toWellFormed();
  return `${method} ${encodeURI(path)}`;
}

/** Whether it is an error of the HTTP parser or a timeout; after others no response is possible. */
const isReadable = (code = ''): boolean => code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');

/** Body and headers of a refusal, which ends the connection. */
function refusalOf(
  requestText: string | undefined,
  detail: string,
): { body: string; headers: Record<string, string> } {
  const { msg, code } = ERRORS.unknown;
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

function responseTo(error: ParserError): string {
  const detail = DETAILS[error.code ?? ''] ?? 'the request is not valid HTTP';
  const { body, headers } = refusalOf(error.rawPacket?.toString(), detail);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Responds 400 with code 999 to a request without the header Host (RFC 9112, 3.2), and closes the
 * connection after the response. Node would respond before its event `request`, so that nothing
 * bounded the number of such responses.
 *
 * @returns false for a request that is valid
 */
export function refuseWithoutHost(
  { headers, httpVersion, method, url }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (headers.host !== undefined || httpVersion !== '1.1') return false;
  const refusal = refusalOf(`${method} ${url}`, NO_HOST);
  response.writeHead(400, refusal.headers).end(refusal.body);
  return true;
}

/**
 * Responds 999 (D5) to requests that are not HTTP, too large or too slow. Then closes the
 * connection, even if the client does not read the response or close its side.
 */
export function refuseUnreadable(error: ParserError, socket: Duplex): void {
  // Further data on this connection is ignored.
  if (refused.has(socket)) return;
  const response = currentResponse(socket);
  // More data after a request that ends its connection, whose response is under way.
  if (error.code === 'HPE_CLOSED_CONNECTION' && response) return;
  // A second status line would corrupt a response that has begun.
  if (!isReadable(error.code) || !socket.writable || response?.headersSent === true) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  // A second response to the same request would be read as that to the next one.
  if (readsBodyAfterResponse(socket as Socket)) socket.end();
  else socket.end(responseTo(error));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
