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
  onIncoming: ((request: ParsedRequest, keepsAlive: boolean) => number) | null;
}

/** A connection that Node's parser reads. */
export interface ParsedSocket extends Socket {
  parser?: NodeParser | null;
}
