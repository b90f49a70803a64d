import { type Server, type ServerResponse } from 'node:http';
import { addressOf, limitKeyOf } from './client-address';

/** Bytes that all responses may hold in memory together until clients have read them. */
const MAX_UNREAD = 100_000_000;

/** Bytes of a response that may be cut off. Smaller ones of all connections fit into memory. */
const MIN_CLOSED = 16_384;

/** Milliseconds after which a connection is closed when its client reads none of the response. */
const READ_MS = 30_000;

/** Bytes of new responses after which the limit is checked at once. */
const CHECKED_BYTES = 10_000_000;

/** Multiple of the limit beyond which responses are cut off without being spared. */
const SPARED_LIMIT_FACTOR = 2;

/** Milliseconds in which clients may read a response before it is cut off. */
const SPARE_MS = 1000;

/** Milliseconds between two looks at what responses hold. */
const LOOK_MS = 1000;

/** A response that may be cut off. */
interface ClosableResponse {
  readonly response: ServerResponse;
  readonly isSpared: boolean;
}

/** Options of {@link UnreadResponses}. */
export interface UnreadOptions {
  /** Maximum bytes of all responses that clients have not read. */
  readonly limit?: number;
  /** Milliseconds in which a response is not cut off. */
  readonly spareMs?: number;
  /** `TRUSTED_PROXIES`, which determines the addresses of clients. */
  readonly trustedProxies?: number;
}

/**
 * Ends responses that clients do not read, and bounds the memory of responses that clients read
 * slowly. A client that takes a byte now and then is never silent, so no time-out ends its
 * connection. Beyond the bound, connections of the address with the most unread bytes are closed,
 * those with its oldest responses first. All bytes of a response that has just ended are unread,
 * also those of a fast client: it is spared for a second, while all have at most twice the limit.
 */
export class UnreadResponses {
  /** With the time at which each began, or ended; in the order in which their requests came. */
  private readonly open = new Map<ServerResponse, number>();

  /** Bytes of the responses of {@link MIN_CLOSED} or more that have ended since the last check. */
  private uncheckedBytes = 0;

  private readonly limit: number;
  private readonly spareMs: number;
  private readonly trustedProxies: number;

  constructor({ limit = MAX_UNREAD, spareMs = SPARE_MS, trustedProxies = 0 }: UnreadOptions = {}) {
    this.limit = limit;
    this.spareMs = spareMs;
    this.trustedProxies = trustedProxies;
  }

  /** Looks at responses from time to time while a server listens. */
  watch(server: Server): void {
    let clock: NodeJS.Timeout | undefined;
    server.on('listening', () => {
      clock = setInterval(() => {
        this.closeSlowest();
      }, LOOK_MS).unref();
    });
    server.on('close', () => {
      clearInterval(clock);
    });
  }

  add(response: ServerResponse): void {
    this.open.set(response, performance.now());
    // The time-out runs while the client reads no byte. Node sets its own for the next request.
    response.on('prefinish', () => {
      response.req.socket.setTimeout(READ_MS);
      this.open.set(response, performance.now());
      // Between two periodic checks, responses can exceed the limit.
      if (response.writableLength >= MIN_CLOSED) this.uncheckedBytes += response.writableLength;
      if (this.uncheckedBytes >= CHECKED_BYTES) this.closeSlowest();
    });
    // A response that waits behind others of its connection does not tell when that is closed.
    response.on('close', () => this.open.delete(response));
  }

  /** Closes connections until the other responses are within the limit. */
  closeSlowest(): void {
    this.uncheckedBytes = 0;
    let unread = 0;
    for (const response of this.open.keys()) {
      const { socket } = response.req;
      if (socket.destroyed) this.open.delete(response);
      else if (response.writableLength > 0) {
        unread += response.writableLength;
        // A file may never reach its end, because it is read only as fast as the client reads.
        if (response.headersSent && socket.timeout !== READ_MS) socket.setTimeout(READ_MS);
      }
    }
    if (unread <= this.limit) return;
    for (const { response, isSpared } of this.inClosingOrder()) {
      if (unread <= (isSpared ? SPARED_LIMIT_FACTOR * this.limit : this.limit)) return;
      unread -= response.writableLength;
      response.req.socket.destroy();
    }
  }

  /**
   * Responses that may be cut off, the spared ones last: the oldest of the address with the most
   * unread bytes first.
   */
  private inClosingOrder(): ClosableResponse[] {
    const unreadOf = new Map<string, number>();
    const spared = performance.now() - this.spareMs;
    const responses = [...this.open].map(([response, time]) => {
      const { req, writableLength } = response;
      const key = limitKeyOf(addressOf(req, this.trustedProxies));
      unreadOf.set(key, (unreadOf.get(key) ?? 0) + writableLength);
      return { response, key, writableLength, isSpared: time > spared };
    });
    return responses
      .filter(({ writableLength }) => writableLength >= MIN_CLOSED)
      .map(({ response, key, writableLength, isSpared }) => {
        // Bytes of the address when its older responses are closed.
        const unread = unreadOf.get(key) ?? 0;
        unreadOf.set(key, unread - writableLength);
        return { response, unread, isSpared };
      })
      .sort(
        (one, other) => Number(one.isSpared) - Number(other.isSpared) || other.unread - one.unread,
      );
  }
}
