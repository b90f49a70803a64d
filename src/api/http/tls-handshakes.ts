import { createPrivateKey } from 'node:crypto';
import { type Server as NetServer, type Socket } from 'node:net';
import { limitKeyOf } from './client-address';

/** Milliseconds in which an address begins its share of handshakes. */
const WINDOW_MS = 100;

/** Milliseconds for which a suspended address begins no handshake. */
const SUSPENDED_MS = 1000;

/** Milliseconds after which a waiting connection is closed. */
const MAX_WAIT_MS = 20_000;

/** Bits of the RSA key for which `TLS_HANDSHAKES_PER_SECOND` is meant. */
const REFERENCE_RSA_BITS = 2048;

/** The limiter of each server that has one. */
const limiters = new WeakMap<NetServer, TlsHandshakes>();

/** The limiter of a server, which must know of a new key. */
export const handshakeLimiterOf = (server: NetServer): TlsHandshakes | undefined =>
  limiters.get(server);

/** A connection that waits. */
interface Waiting {
  /** Since when (`performance.now()`). */
  readonly since: number;
  readonly begin: () => void;
}

export interface TlsHandshakesOptions {
  /** Milliseconds in which an address begins its share of handshakes. */
  readonly windowMs?: number;
  /** The key of the client of a connection. */
  readonly keyOf?: (socket: Socket) => string;
}

/**
 * Limits the TLS handshakes that one address begins (`TLS_HANDSHAKES_PER_SECOND`). A handshake costs
 * the server a signature and its client next to nothing, so that one client could delay the
 * handshakes of all others. Connections beyond the limit wait; those of other addresses do not.
 */
export class TlsHandshakes {
  /** Handshakes of the current window, by limit key of the address. */
  private readonly begun = new Map<string, number>();
  /** Connections that wait, the oldest first. */
  private readonly waiting = new Map<string, Map<Socket, Waiting>>();
  /** Suspended addresses, with the end of the time. */
  private readonly suspended = new Map<string, number>();
  private perWindow: number;
  private timer: NodeJS.Timeout | undefined;
  private readonly windowMs: number;
  private readonly keyOf: (socket: Socket) => string;

  constructor(
    private readonly perSecond: number,
    {
      windowMs = WINDOW_MS,
      keyOf = (socket) => limitKeyOf(socket.remoteAddress ?? ''),
    }: TlsHandshakesOptions = {},
  ) {
    this.windowMs = windowMs;
    this.keyOf = keyOf;
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
    return Math.ceil((this.perSecond * this.windowMs) / 1000 / cost);
  }

  /** Makes this the limiter of a server, see {@link handshakeLimiterOf}. */
  register(server: NetServer): void {
    limiters.set(server, this);
  }

  /** Lets the handshakes of the address of a connection wait for a second. */
  suspend(socket: Socket): void {
    const key = this.keyOf(socket);
    this.suspended.set(key, performance.now() + SUSPENDED_MS);
    this.count(key, this.perWindow);
  }

  /**
   * Adds a connection whose client has sent its ClientHello.
   *
   * @param begin is called at once or in a later window; never after the connection was closed
   */
  add(socket: Socket, begin: () => void): void {
    const key = this.keyOf(socket);
    const count = this.begun.get(key) ?? 0;
    if (count < this.perWindow && !this.waiting.has(key)) {
      this.count(key, count + 1);
      begin();
      return;
    }
    this.wait(key, socket, begin);
  }

  private count(key: string, handshakes: number): void {
    this.begun.set(key, handshakes);
    this.timer ??= setTimeout(() => {
      this.nextWindow();
    }, this.windowMs).unref();
  }

  private wait(key: string, socket: Socket, begin: () => void): void {
    const queue = this.waiting.get(key) ?? new Map<Socket, Waiting>();
    this.waiting.set(key, queue.set(socket, { since: performance.now(), begin }));
    socket.once('close', () => {
      queue.delete(socket);
      if (queue.size === 0 && this.waiting.get(key) === queue) this.waiting.delete(key);
    });
  }

  private nextWindow(): void {
    this.timer = undefined;
    this.begun.clear();
    const now = performance.now();
    this.closeExpired(now);
    for (const [key, until] of this.suspended) {
      if (now < until) this.count(key, this.perWindow);
      else this.suspended.delete(key);
    }
    for (const [key, queue] of this.waiting) {
      let count = this.begun.get(key) ?? 0;
      for (const [socket, { begin }] of queue) {
        if (count === this.perWindow) break;
        queue.delete(socket);
        if (socket.destroyed) continue;
        count += 1;
        begin();
      }
      if (queue.size === 0) this.waiting.delete(key);
      this.count(key, count);
    }
  }

  /** Closes connections that have waited too long. */
  private closeExpired(now: number): void {
    for (const queue of this.waiting.values()) {
      for (const [socket, { since }] of queue) {
        if (now <= since + MAX_WAIT_MS) break;
        socket.destroy();
      }
    }
  }
}
