import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';

/** A request as Node's parser passes it on, before Node looks whether it changes the protocol. */
export interface ParsedRequest extends IncomingMessage {
  upgrade: boolean;
}

/** Node's parser of a connection, with members that its types lack. */
export interface NodeParser {
  readonly _consumed?: boolean;
  unconsume(): void;
  remove(): void;
  close(): void;
  socket: unknown;
  incoming: unknown;
  outgoing: unknown;
  /** Its callbacks. The callback for body data is called `parserOnBody`. */
  [callback: number]: (() => void) | null | undefined;
  onIncoming: ((request: ParsedRequest, keepsAlive: boolean) => number) | null;
}

/** A connection that Node's parser reads. */
export interface ParsedSocket extends Socket {
  parser?: NodeParser | null;
}

/** Exceeds the number of parser callbacks. */
const MAX_CALLBACKS = 16;

/**
 * Makes Node's parser ignore the body in the data that it has read, and in later data of the connection.
 * Otherwise it takes more than a microsecond for each chunk, also after the connection is destroyed.
 */
export function skipBody(socket: Socket): void {
  const { parser } = socket as ParsedSocket;
  if (!parser) return;
  for (let at = 0; at < MAX_CALLBACKS; at += 1) {
    const callback = parser[at];
    if (callback?.name !== 'parserOnBody') continue;
    parser[at] = null;
    // Node reuses the parser for other connections.
    socket.once('close', () => {
      parser[at] = callback;
    });
  }
}
