import { type IncomingMessage } from 'node:http';

/** Bytes after a head in the same data that are too few to count as the start of the next head. */
export const MIN_COUNTED_BYTES = 8192;

/** The last chunk of a body: `0`, the end of its line, and the empty line after the trailers. */
const LAST_CHUNK_BYTES = 5;

/** What Node's parser has read of a connection, in bytes from the first one of the connection. */
export interface HeadPosition {
  /**
   * Where the next head begins, or the part of a chunked body that is no data: the end of what has
   * been parsed. It can be more than has arrived, while a body with a known length arrives.
   *
   * It may be too small, by spaces in a head or by the padding of chunk sizes. It is too large by
   * less than {@link MIN_COUNTED_BYTES}, however many requests follow each other.
   */
  nextHead: number;
  /** The bytes that had arrived when a head, or data of a body, was last parsed here. */
  arrived: number;
}

/** Bytes of headers, or of trailers, without optional spaces. */
function fieldBytesOf(rawFields: readonly string[]): number {
  // A colon and the end of the line for each name and its value.
  let bytes = (rawFields.length / 2) * 3;
  for (const text of rawFields) bytes += text.length;
  return bytes;
}

/** Bytes of a head on the connection, without optional spaces. */
export function headBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  // The version, the separators of the request line, and the empty line.
  return method.length + url.length + 14 + fieldBytesOf(rawHeaders);
}

/**
 * Whether a head is the first one in the data that has just arrived, and little follows it. Then
 * `nextHead` may become `bytesRead`. For a second head in the same data, errors would add up.
 */
export const isSmallHead = ({ nextHead, arrived }: HeadPosition, bytesRead: number): boolean =>
  bytesRead - nextHead < MIN_COUNTED_BYTES && bytesRead > arrived;

/** Moves a position to the end of a head. @param bytes of the head, from {@link headBytesOf} */
export function passHead(position: HeadPosition, bytesRead: number, bytes: number): void {
  if (isSmallHead(position, bytesRead)) position.nextHead = bytesRead;
  passBytes(position, bytesRead, bytes);
}

/** Moves a position by parsed bytes, of which the last is in the data that has just arrived. */
function passBytes(position: HeadPosition, bytesRead: number, bytes: number): void {
  // What arrived before this data has been parsed.
  const parsed = bytesRead > position.arrived ? position.arrived : 0;
  position.nextHead = Math.min(Math.max(position.nextHead + bytes, parsed), bytesRead);
  position.arrived = bytesRead;
}

/** Receives the numbers of bytes of a body. */
export interface BodyObserver {
  readonly onData: (bytes: number) => void;
  /** Called at the end of the body. */
  readonly onTrailers: (bytes: number) => void;
}

/**
 * Moves a position with the data of a body, as Node's parser passes it to `request.push`. Call it
 * after {@link passHead}, and after others that replace `push`, which may join or delay the data.
 *
 * @param observer is told the bytes of the body as they arrive
 */
export function followBody(
  position: HeadPosition,
  request: IncomingMessage,
  { onData, onTrailers }: BodyObserver,
): void {
  const { socket, headers } = request;
  const push = request.push.bind(request);
  const isChunked = headers['transfer-encoding'] !== undefined;
  let missing = isChunked ? 0 : Number(headers['content-length'] ?? 0);
  position.nextHead += missing;
  request.push = (data: Buffer | null): boolean => {
    const { bytesRead } = socket;
    if (data === null) {
      const bytes = fieldBytesOf(request.rawTrailers);
      passBytes(position, bytesRead, isChunked ? LAST_CHUNK_BYTES + bytes : 0);
      if (bytes > 0) onTrailers(bytes);
      return push(null);
    }
    onData(data.length);
    if (isChunked) {
      passChunk(position, bytesRead, data.length);
    } else {
      missing -= data.length;
      // A body that is not complete ends with the data that has arrived.
      if (missing > 0) position.nextHead = bytesRead + missing;
      position.arrived = bytesRead;
    }
    return push(data);
  };
}

/** Moves a position by a chunk, or by the part of a chunk that has just arrived. */
function passChunk(position: HeadPosition, bytesRead: number, length: number): void {
  // What arrived before this data has been parsed. It cannot have been trailers.
  if (bytesRead > position.arrived) {
    position.nextHead = Math.max(position.nextHead, position.arrived);
  }
  // The size in hexadecimal digits, and two ends of lines.
  passBytes(position, bytesRead, length.toString(16).length + 4 + length);
}
