import { type IncomingMessage } from 'node:http';
import { type ParsedSocket } from './node-parser';

/** Number of header fields that Node's parser collects before it passes them on. */
const SLOTS = 31;

/** Heads below this size are not counted: 31 such copies of all connections fit into memory. */
export const MIN_COPIED_BYTES = 256;

/** Bytes of copies beyond which a connection ends with its response. */
export const MAX_COPIED_BYTES = 131_072;

/**
 * Copies of heads that Node's parser of a connection keeps outside of the heap. If a head arrives in
 * parts, the parser copies its target and fields. It frees the copy of a field only when another
 * head has a field at the same place, and that of the target at the next head. So a connection may
 * keep 31 large fields of earlier requests. Heads that arrive at once are counted, too: they cannot
 * be told apart.
 */
export class ParserCopies {
  /** Bytes of all copies. */
  bytes = 0;
  private readonly fields: number[] = Array<number>(SLOTS).fill(0);
  private target = 0;

  addHead({ url = '', rawHeaders }: IncomingMessage): void {
    this.bytes += url.length - this.target;
    this.target = url.length;
    this.addFields(rawHeaders);
  }

  /** @param rawFields names and values of headers or trailers */
  addFields(rawFields: readonly string[]): void {
    for (let at = 0; at < rawFields.length; at += 2) {
      const slot = (at / 2) % SLOTS;
      const length = (rawFields[at]?.length ?? 0) + (rawFields[at + 1]?.length ?? 0);
      const more = length - (this.fields[slot] ?? 0);
      if (more <= 0) continue;
      this.fields[slot] = length;
      this.bytes += more;
    }
  }
}

/**
 * Frees the parser of a connection that closes, with its copies, also of a head that is incomplete.
 * Call it before Node's own listener, which keeps up to 1,000 parsers for later connections: their
 * copies would add up.
 */
export function discardParser(socket: ParsedSocket): void {
  const { parser } = socket;
  if (!parser) return;
  if (parser._consumed === true) parser.unconsume();
  parser.remove();
  parser.socket = null;
  parser.incoming = null;
  parser.outgoing = null;
  parser.onIncoming = null;
  socket.parser = null;
  // As Node does: the parser may be executing.
  setImmediate(() => {
    parser.close();
  });
}
