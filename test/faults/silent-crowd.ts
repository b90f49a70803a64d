import { connect, type Socket } from 'node:net';
import { type Places } from './proxied';

/** Connections of one address that send the first byte of a request, and never more. */
export interface SilentCrowd {
  /** Number of connections that the other side has not closed. */
  open(): number;
  close(): void;
}

/** First byte of a TLS handshake. */
const HANDSHAKE = '\x16';

/**
 * Opens connections of one address that send one byte, half of them to the port with TLS.
 *
 * @param from address of the client: one of 127.0.0.0/8
 */
export function openSilentCrowd(
  { http, https }: Pick<Places, 'http' | 'https'>,
  from: string,
  count: number,
): SilentCrowd {
  const open = new Set<Socket>();
  for (let at = 0; at < count; at += 1) {
    const [port, byte] = at % 2 === 0 ? [http, 'G'] : [https, HANDSHAKE];
    const socket = connect({ host: '127.0.0.1', port, localAddress: from });
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.on('connect', () => socket.write(byte)).resume();
  }
  return {
    open: () => open.size,
    close: () => open.forEach((socket) => socket.destroy()),
  };
}
