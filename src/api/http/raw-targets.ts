import { isUtf8 } from 'node:buffer';
import { type Server } from 'node:http';
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
 * Requests that wait for the response to an earlier one are not read, nor data after a response that
 * closes the connection: it may begin with the rest of a body.
 *
 * @returns whether the request is read; otherwise the caller rejects it
 */
export function readRawTarget(server: Server, error: ParserError, socket: Socket): boolean {
  const { rawPacket, bytesParsed = Infinity } = error;
  if (error.code !== 'HPE_INVALID_URL' || !rawPacket || currentResponse(socket)) return false;
  // The packet begins with the request only if the parser failed in its first line.
  if (bytesParsed > rawPacket.indexOf(LINE_END)) return false;
  const packet = socket.writable ? encodeRawTarget(rawPacket) : undefined;
  if (packet === undefined) return false;
  detachParser(socket);
  socket.unshift(packet);
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
  socket.resume();
  return true;
}
