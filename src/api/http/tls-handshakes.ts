import { createPrivateKey } from 'node:crypto';
import { type Server } from 'node:http';
import { type Server as NetServer, type Socket } from 'node:net';
import { limitKeyOf } from './client-address';

/** Milliseconds in which an address begins its share of handshakes. */
const WINDOW_MS = 100;

/** Milliseconds for which a suspended address begins no handshake. */
const SUSPENDED_MS = 1000;

/** Milliseconds after which a connection that waits and has sent nothing is closed. */
const SILENT_MS = 5000;

/**
 * Milliseconds after which a waiting connection is closed. Its client may have left: the kernel does
 * not report the end of a connection until the received bytes are read.
 */
const MAX_WAIT_MS = 20_000;

/**
 * Maximum bytes that a client sends before the server responds: a record of TLS with its header
 * (RFC 8446, section 5.1). The message ClientHello takes less than 2 KB.
 */
const MAX_FIRST_BYTES = 16_389;

/**
 * Option of a TLS server with {@link TlsHandshakes}. Connections that wait are read once, and the
 * kernel keeps what follows. The sockets of TLS, which read and write the connection after that, do
 * not have this limit.
 */
export const WAITING_OPTIONS = { highWaterMark: 1 };

/** Bits of the RSA key for which `TLS_HANDSHAKES_PER_SECOND` is meant. */
const REFERENCE_RSA_BITS = 2048;

/** The limiter of each server that has one. */
const limiters = new WeakMap<NetServer, TlsHandshakes>();

/** The limiter of a server, which must know of a new key. */
export const handshakeLimiterOf = (server: NetServer): TlsHandshakes | undefined =>
  limiters.get(server);

/**
 * Limits the TLS handshakes that one address begins (`TLS_HANDSHAKES_PER_SECOND`). A handshake costs
 * the server a signature and its client next to nothing, so that one client could delay the
 * handshakes of all others. Connections beyond the limit wait; those of other addresses do not.
 */
export class TlsHandshakes {
  /** Handshakes of the current window, by limit key of the address. */
  private readonly begun = new Map<string, number>();
  /** Connections that wait, the oldest first, with the time since when (`performance.now()`). */
  private readonly waiting = new Map<string, Map<Socket, number>>();
  /** Suspended addresses, with the end of the time. */
  private readonly suspended = new Map<string, number>();
  private perWindow: number;
  private timer: NodeJS.Timeout | undefined;
  private begin: (socket: Socket) => void = () => undefined;

  constructor(private readonly perSecond: number) {
    this.perWindow = this.windowLimit(1);
  }

  /**
   * Adjusts the limit to the cost of a key. The time of an RSA signature grows with the third power
   * of the length: 4096 bits allow an eighth of the handshakes.
   * @param key PEM
   */
  adjustToKey(key: string | Buffer): void {
    const { modulusLength: bits = 0 } = createPrivateKey(key).asymmetricKeyDetails ?? {};
    this.perWindow = this.windowLimit(Math.max(1, bits / REFERENCE_RSA_BITS) ** 3);
  }

  /** @param cost of a handshake, as a multiple of one with {@link REFERENCE_RSA_BITS} */
  private windowLimit(cost: number): number {
    return Math.ceil((this.perSecond * WINDOW_MS) / 1000 / cost);
  }

  /** Delays the handshakes of a TLS server; call it before any other listener is added. */
  watch(server: Server): void {
    limiters.set(server, this);
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    this.begin = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on('connection', (socket) => {
      this.add(socket);
    });
  }

  /** Lets the handshakes of the address of a connection wait for a second. */
  suspend(socket: Socket): void {
    const key = limitKeyOf(socket.remoteAddress ?? '');
    this.suspended.set(key, performance.now() + SUSPENDED_MS);
    this.count(key, this.perWindow);
  }

  private add(socket: Socket): void {
    const key = limitKeyOf(socket.remoteAddress ?? '');
    const count = this.begun.get(key) ?? 0;
    if (count < this.perWindow && !this.waiting.has(key)) {
      this.count(key, count + 1);
      this.begin(socket);
      return;
    }
    this.wait(key, socket);
  }

  private count(key: string, handshakes: number): void {
    this.begun.set(key, handshakes);
    this.timer ??= setTimeout(() => {
      this.nextWindow();
    }, WINDOW_MS).unref();
  }

  private wait(key: string, socket: Socket): void {
    const queue = this.waiting.get(key) ?? new Map<Socket, number>();
    this.waiting.set(key, queue.set(socket, performance.now()));
    // Until TLS takes the connection, nothing else listens.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      queue.delete(socket);
      if (queue.size === 0 && this.waiting.get(key) === queue) this.waiting.delete(key);
    });
  }

  private nextWindow(): void {
    this.timer = undefined;
    this.begun.clear();
    const now = performance.now();
    this.closeUnwanted(now);
    for (const [key, until] of this.suspended) {
      if (now < until) this.count(key, this.perWindow);
      else this.suspended.delete(key);
    }
    for (const [key, queue] of this.waiting) {
      let count = this.begun.get(key) ?? 0;
      for (const [socket, since] of queue) {
        if (count === this.perWindow) break;
        if (socket.destroyed) {
          queue.delete(socket);
        } else if (socket.readableLength > 0) {
          count += 1;
          queue.delete(socket);
          this.begin(socket);
        } else if (now > since + SILENT_MS) {
          // Its client may also have left: TLS would not be told.
          queue.delete(socket);
          socket.destroy();
        }
      }
      if (queue.size === 0) this.waiting.delete(key);
      this.count(key, count);
    }
  }

  /**
   * Closes connections that have waited too long, and those whose clients have sent more than the
   * beginning of a handshake.
   */
  private closeUnwanted(now: number): void {
    for (const queue of this.waiting.values()) {
      for (const [socket, since] of queue) {
        if (socket.readableLength > MAX_FIRST_BYTES || now > since + MAX_WAIT_MS) socket.destroy();
      }
    }
  }
}
