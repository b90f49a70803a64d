import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { limitKeyOf } from './client-address';
import { inspectFirstBytes, MAX_HELLO_BYTES } from './client-hello';
import { TlsHandshakes } from './tls-handshakes';
import { concatUnpooled } from './unpooled';

/**
 * Option of a TLS server with {@link TlsAdmission}: Node reads a connection only as fast as
 * TlsAdmission takes the data. The sockets of TLS, which read and write the connection after that,
 * do not have this limit.
 */
export const ADMISSION_OPTIONS = { highWaterMark: 1 };

/**
 * Maximum bytes that a client sends before the server responds: a ClientHello and the headers of its
 * records.
 */
const MAX_FIRST_BYTES = 2 * MAX_HELLO_BYTES;

/** Expensive handshakes a second: of one address, or of all clients if there is no limiter. */
const EXPENSIVE_PER_SECOND = 2;
const EXPENSIVE_IN_TOTAL = 4;

/** Milliseconds in which expensive handshakes are counted. */
const EXPENSIVE_WINDOW_MS = 500;

/** Maximum handshakes of a server that are not finished. */
const MAX_UNFINISHED = 1000;

export interface TlsAdmissionOptions {
  /** Milliseconds in which a ClientHello must arrive. */
  readonly timeoutMs: number;
  /** Limits handshakes of an address; undefined behind proxies, or without a limit. */
  readonly limiter: TlsHandshakes | undefined;
  readonly maxUnfinished?: number;
}

const destroy = function (this: Socket): void {
  this.destroy();
};

/**
 * Reads the ClientHello of each connection before TLS takes it. OpenSSL allocates the length that a
 * ClientHello declares, up to 131,396 bytes, when its first bytes arrive, and its time grows with
 * the square of the number of groups. Larger ones are therefore not passed to OpenSSL. A second ClientHello
 * cannot be inspected: connections that may have one are limited by {@link EXPENSIVE_PER_SECOND}.
 */
export class TlsAdmission {
  private readonly limiter: TlsHandshakes | undefined;
  private readonly expensive: TlsHandshakes;
  private readonly timeoutMs: number;
  private readonly maxUnfinished: number;
  /** Connections whose handshakes have begun, the oldest first, with the keys of their addresses. */
  private readonly unfinished = new Map<Socket, string>();
  private passToTls: (socket: Socket) => void = () => undefined;

  constructor({ timeoutMs, limiter, maxUnfinished = MAX_UNFINISHED }: TlsAdmissionOptions) {
    this.timeoutMs = timeoutMs;
    this.limiter = limiter;
    this.maxUnfinished = maxUnfinished;
    this.expensive = limiter
      ? new TlsHandshakes(EXPENSIVE_PER_SECOND, { windowMs: EXPENSIVE_WINDOW_MS })
      : new TlsHandshakes(EXPENSIVE_IN_TOTAL, {
          windowMs: EXPENSIVE_WINDOW_MS,
          keyOf: () => 'all',
        });
  }

  /** Inspects the connections of a TLS server; call it before any other listener is added. */
  watch(server: Server): void {
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    this.passToTls = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on('connection', (socket) => {
      this.read(socket);
    });
    server.on('secureConnection', (tls: Socket & { readonly _parent?: Socket | null }) => {
      if (tls._parent) this.unfinished.delete(tls._parent);
    });
  }

  /** Reads the ClientHello of a connection, and begins its handshake when the limits allow it. */
  private read(socket: Socket): void {
    let bytes: Buffer = Buffer.alloc(0);
    let needed = 1;
    let isWaiting = false;
    const timer = setTimeout(() => socket.destroy(), this.timeoutMs).unref();
    const stop = (): void => {
      clearTimeout(timer);
    };
    const begin = (): void => {
      socket.off('readable', onReadable).off('end', destroy).off('error', destroy);
      if (socket.destroyed) return;
      // TLS begins with what its socket has buffered.
      socket.unshift(bytes);
      bytes = Buffer.alloc(0);
      this.beginHandshake(socket);
    };
    const inspect = (): void => {
      const found = inspectFirstBytes(bytes);
      if (typeof found === 'number') {
        needed = found;
      } else if (found === 'refused') {
        socket.destroy();
      } else {
        stop();
        socket.off('close', stop);
        isWaiting = true;
        const limiter = found === 'expensive' ? this.expensive : this.limiter;
        if (limiter) limiter.add(socket, begin);
        else begin();
      }
    };
    const onReadable = (): void => {
      const chunk = socket.read() as Buffer | null;
      if (!chunk) return;
      bytes = bytes.length === 0 ? chunk : concatUnpooled(bytes, chunk);
      if (!isWaiting && bytes.length >= needed) inspect();
      // Empty if the handshake has begun. Before that, a client sends only its ClientHello.
      if (bytes.length > MAX_FIRST_BYTES) socket.destroy();
    };
    // `end`: a client that leaves before TLS takes its connection.
    socket.on('readable', onReadable).on('end', destroy).on('error', destroy).once('close', stop);
  }

  /** Begins the handshake of a connection, and closes another one if there are too many. */
  private beginHandshake(socket: Socket): void {
    this.unfinished.set(socket, limitKeyOf(socket.remoteAddress ?? ''));
    socket.once('close', () => this.unfinished.delete(socket));
    if (this.unfinished.size > this.maxUnfinished) this.closeOldest();
    if (!socket.destroyed) this.passToTls(socket);
  }

  /** Closes the oldest connection of the address with the most. */
  private closeOldest(): void {
    const counts = new Map<string, number>();
    for (const key of this.unfinished.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const [socket, key] of this.unfinished) {
      if (counts.get(key) !== most) continue;
      this.unfinished.delete(socket);
      socket.destroy();
      return;
    }
  }
}
