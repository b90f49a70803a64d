import { type IncomingMessage, type Server } from 'node:http';
import { type ParsedRequest, type ParsedSocket } from './node-parser';

/** Makes Node handle a request as HTTP. Call it before Node's own `onIncoming`. */
export function clearUpgradeFlag(request: IncomingMessage): void {
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
export function disableUpgrades(server: Server, isTls: boolean): void {
  server.on(isTls ? 'secureConnection' : 'connection', (socket: ParsedSocket) => {
    // An error of a socket without a listener would end the process. A connection is announced again
    // when another parser reads it (D43).
    if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError);
    const { parser } = socket;
    const handle = parser?.onIncoming;
    if (!handle) return;
    parser.onIncoming = (request, keepsAlive) => {
      clearUpgradeFlag(request);
      return handle(request, keepsAlive);
    };
  });
}
