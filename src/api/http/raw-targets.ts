import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { discardParser } from './parser-copies';
import { currentResponse } from './pipelines';

/** An error of Node's HTTP parser, with the bytes that it was reading and how many it has parsed. */
export type ParserError = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

const LINE_END = Buffer.from('\r\n');

/** A request line with bytes outside ASCII; the target has no other character that is invalid. */
const REQUEST_LINE = /^[A-Z]{1,20} [\x21-\x7e\x80-\xff]+ HTTP\/1\.[01]$/;

/**
 * Percent-encodes the raw UTF-8 in the target of a request (D43).
 *
 * The copy has the header `Connection: close`: a second request of the connection would need this
 * again.
 *
 * @param packet data that begins with the request
 * @returns a copy of the data; undefined if its first line is no request with raw UTF-8
 */
export function encodeRawTarget(packet: Buffer): Buffer | undefined {
  const end = packet.indexOf(LINE_END);
  if (end < 0) return undefined;
  const bytes = packet.subarray(0, end);
  const line = bytes.toString('latin1');
  if (!REQUEST_LINE.test(line) || !/[\x80-\xff]/.test(line) || !isUtf8(bytes)) return undefined;
  const encoded = line.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return Buffer.concat([Buffer.from(`${encoded}\r\nConnection: close`), packet.subarray(end)]);
}

/**
 * Connections with a response that was sent before the body of its request had arrived, and the last
 * such request. The parser keeps it until its body is complete; after that it must not stay in memory.
 */
const desynchronized = new WeakMap<Socket, WeakRef<IncomingMessage>>();

/** Whether the parser reads the body of a request whose response was already sent. */
export const readsBodyAfterResponse = (socket: Socket): boolean =>
  desynchronized.get(socket)?.deref()?.complete === false;

/**
 * Marks connections on which data may begin with the rest of a body. Reading such data as a request
 * would execute a body (request smuggling).
 */
export function watchEarlyResponses(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return;
    response.once('finish', () => {
      if (!request.complete) desynchronized.set(socket, new WeakRef(request));
    });
  });
}

/** Removes the listeners of Node's HTTP server, and ends its parser, which has failed. */
function detachParser(socket: Socket): void {
  // The first listener of `data` makes the parser read from the stream, not from its handle.
  socket.on('data', () => undefined);
  socket.pause();
  socket.removeAllListeners('data');
  const named = (event: string, name: string) =>
    (socket.listeners(event) as ((...values: unknown[]) => void)[]).filter(
      (listener) => listener.name === `bound ${name}`,
    );
  for (const listener of named('end', 'socketOnEnd')) socket.off('end', listener);
  // The timeouts of the parser would end the request.
  discardParser(socket);
  for (const listener of named('close', 'socketOnClose')) {
    socket.off('close', listener);
    listener.call(socket);
  }
}

/**
 * Reads a request whose target has raw UTF-8, which Node's parser rejects and old clients send
 * (D43). A new parser of the same connection gets the bytes as if they were percent-encoded.
 * Requests that wait for the response to an earlier one, and data that may begin with the rest of a
 * body, are not read.
 *
 * @returns whether the request is read; otherwise the caller rejects it
 */
export function readRawTarget(server: Server, error: ParserError, socket: Socket): boolean {
  const { rawPacket, bytesParsed = Infinity } = error;
  if (error.code !== 'HPE_INVALID_URL' || !rawPacket || currentResponse(socket)) return false;
  // The packet begins with the request only if the parser failed in its first line.
  if (desynchronized.has(socket) || bytesParsed > rawPacket.indexOf(LINE_END)) return false;
  const packet = socket.writable ? encodeRawTarget(rawPacket) : undefined;
  if (packet === undefined) return false;
  detachParser(socket);
  socket.unshift(packet);
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
  socket.resume();
  return true;
}
