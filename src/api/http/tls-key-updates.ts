import { type Server } from 'node:http';
import { type TLSSocket } from 'node:tls';

/**
 * Key updates of a connection. Clients need one after about 100 GB, because of the limits of AES-GCM
 * (RFC 8446, section 5.5).
 */
const MAX_KEY_UPDATES = 10;

/** Label of the client's secret after a key update; that of the handshake ends in 0. */
const UPDATED = Buffer.from('CLIENT_TRAFFIC_SECRET_N ');

/**
 * Finds connections of TLS 1.3 whose clients update their keys too often (RFC 8446, section 4.6.3).
 * An update costs the client 27 bytes, and the server three derivations of keys. OpenSSL does not
 * limit their number. The event `keylog` is the only one that tells Node of them. Its lines contain
 * the secrets of the connection: only their labels are read.
 */
export class TlsKeyUpdates {
  private readonly counts = new WeakMap<TLSSocket, number>();

  /** @param close closes a connection, and what else its client may use for the same */
  constructor(private readonly close: (socket: TLSSocket) => void) {}

  /** Counts the key updates of a TLS server's connections; call it before it listens. */
  watch(server: Server): void {
    server.on('keylog', (line: Buffer, socket: TLSSocket) => {
      if (line.compare(UPDATED, 0, UPDATED.length, 0, UPDATED.length) !== 0) return;
      const count = (this.counts.get(socket) ?? 0) + 1;
      this.counts.set(socket, count);
      // OpenSSL reads the rest of up to 64 KB before the connection ends.
      if (count === MAX_KEY_UPDATES + 1) this.close(socket);
    });
  }
}
