import { type IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';

/** A request as Node's parser passes it on, before Node looks whether it changes the protocol. */
interface ParsedRequest extends IncomingMessage {
  upgrade: boolean;
}

/** A connection with the members of Node's parser that its types lack. */
export interface ParsedSocket extends Socket {
  readonly parser?: {
    onIncoming: ((request: ParsedRequest, keepsAlive: boolean) => number) | null;
  } | null;
}

/** Keeps Node from a change of the protocol. Call it first. */
export function ignoreUpgrade(request: IncomingMessage): void {
  (request as ParsedRequest).upgrade = false;
}

const ignoreError = (): void => undefined;

/**
 * Makes a server handle CONNECT and requests with the header `Upgrade` like others. Otherwise Node
 * removes its own listeners from such a connection, also that of errors, and returns its parser to a
 * pool, with the copies that it has.
 *
 * @param isTls whether the server uses TLS
 */
export function ignoreUpgrades(server: Server, isTls: boolean): void {
  server.on(isTls ? 'secureConnection' : 'connection', (socket: ParsedSocket) => {
    // The process would exit if a connection without a listener fails. A connection is announced again
    // when another parser reads it (D43).
    if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError);
    const { parser } = socket;
    const handle = parser?.onIncoming;
    if (!handle) return;
    parser.onIncoming = (request, keepsAlive) => {
      ignoreUpgrade(request);
      return handle(request, keepsAlive);
    };
  });
}
