import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { addressOf, limitKeyOf } from './client-address';
import { countedKeys, NETWORK_SHARES } from './client-networks';
import { repeatWhileListening } from './repeat-while-listening';

/** Bytes that all responses may hold in memory together until clients have read them. */
const MAX_UNREAD = 100_000_000;

/** Bytes of a response that may be cut off. Smaller ones of all connections fit into memory. */
const MIN_CLOSED = 16_384;

/** Milliseconds after which a connection is closed when its client reads none of the response. */
const READ_MS = 30_000;

/**
 * Milliseconds after which a response is cut off when the system has taken none of it, also if the
 * client sends data, which restarts the time-out. Node spares a connection for at most as long.
 */
const STALLED_MS = 2 * READ_MS;

/** Bytes of new responses after which the limit is checked at once. */
const CHECKED_BYTES = 10_000_000;

/** Multiple of the limit beyond which responses are cut off without being spared. */
const SPARED_LIMIT_FACTOR = 2;

/** Milliseconds in which clients may read a response before it is cut off. */
const SPARE_MS = 1000;

/** Milliseconds between two looks at what responses hold. */
const LOOK_MS = 1000;

/**
 * Bytes that a client may have read since the system last took data. Linux takes data when a third
 * of a connection's send buffer is free: 1.4 MB of the usual 4 MB.
 */
const SYSTEM_STEP = 1_400_000;

/** The part of the limit beyond which an address has more than its share: two of the largest lists. */
const ADDRESS_SHARE = 1 / 6;

/**
 * Milliseconds for which a new response counts as measured. Otherwise it would count as faster than
 * one that was measured for long, and clients that begin again and again would come last.
 */
const MIN_MEASURED_MS = 5000;

/** When a response is cut off: those with the lowest rank first. */
enum Rank {
  /** Of an address or network that has more than its share. */
  Excessive,
  Measured,
  Spared,
}

/** How much of a connection has been read. */
interface Reading {
  readonly time: number;
  /** What {@link takenBytes} returned then. */
  readonly taken: number;
}

/** A response whose client may not have read all bytes. */
interface OpenResponse {
  /** When it began, or ended. */
  since: number;
  /** At the first look that did not spare it: its reading rate is measured from there. */
  start?: Reading;
  /** At the first look that found the current number of taken bytes. */
  progress?: Reading;
}

/** A response that may be cut off. */
interface ClosableResponse {
  readonly response: ServerResponse;
  readonly rank: Rank;
  /** Responses of the same rank with the highest weight come first. */
  readonly weight: number;
}

/** The part of a connection that passes data to the system. */
interface SystemHandle {
  /** Bytes that Node has given to it. */
  readonly bytesWritten: number;
  /** Bytes that the system has not taken yet. */
  readonly writeQueueSize: number;
}

/**
 * Bytes that the system has taken from a connection so far. `writableLength` does not show it: that
 * has all bytes of a write until the system has taken the last one.
 */
function takenBytes(socket: Socket & { readonly _handle?: SystemHandle | null }): number {
  const handle = socket._handle;
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/** Options of {@link UnreadResponses}. */
export interface UnreadOptions {
  /** Maximum bytes of all responses that clients have not read. */
  readonly limit?: number;
  /** Bytes beyond which responses of an address are cut off first, a sixth of the limit. */
  readonly addressLimit?: number;
  /** Milliseconds in which a response is not cut off. */
  readonly spareMs?: number;
  /** `TRUSTED_PROXIES`, which determines the addresses of clients. */
  readonly trustedProxies?: number;
}

/**
 * The inverse of the rate at which a client reads at most. The bytes that the
 * client may have read in addition keep a fast one from counting as slow before the system takes
 * data again. A client that reads nothing gets slower with time.
 */
function millisecondsPerByte(response: ServerResponse, start: Reading, now: number): number {
  const taken = takenBytes(response.req.socket) - start.taken;
  return Math.max(now - start.time, MIN_MEASURED_MS) / (taken + SYSTEM_STEP);
}

/**
 * Updates the progress of a response.
 *
 * @param taken from {@link takenBytes}
 * @returns whether its client has read nothing for {@link STALLED_MS}
 */
function isStalled(opened: OpenResponse, taken: number, now: number): boolean {
  if (opened.progress?.taken !== taken) opened.progress = { time: now, taken };
  return opened.progress.time < now - STALLED_MS;
}

const byRank = (one: ClosableResponse, other: ClosableResponse): number =>
  one.rank - other.rank || other.weight - one.weight;

/**
 * Ends responses that clients do not read, and bounds the memory of responses that clients read
 * slowly. A client that takes a byte now and then is never silent, so no time-out ends its
 * connection. Beyond the bound, connections of the address or network with the most unread bytes are
 * closed. When none has more than its share of the bound, the responses that are read at the lowest
 * rate come first: otherwise an attacker with many addresses, each with less than another client,
 * would cut off that client. All bytes of a response that has just ended are unread, also those of a
 * fast client: it is spared for a second, while all have at most twice the limit.
 */
export class UnreadResponses {
  /** In the order in which their requests came. */
  private readonly open = new Map<ServerResponse, OpenResponse>();

  /** Bytes of the responses of {@link MIN_CLOSED} or more that have ended since the last check. */
  private uncheckedBytes = 0;

  private readonly limit: number;
  private readonly addressLimit: number;
  private readonly spareMs: number;
  private readonly trustedProxies: number;

  constructor({
    limit = MAX_UNREAD,
    addressLimit = limit * ADDRESS_SHARE,
    spareMs = SPARE_MS,
    trustedProxies = 0,
  }: UnreadOptions = {}) {
    this.limit = limit;
    this.addressLimit = addressLimit;
    this.spareMs = spareMs;
    this.trustedProxies = trustedProxies;
  }

  /** Looks at responses from time to time while a server listens. */
  watch(server: Server): void {
    repeatWhileListening(server, LOOK_MS, () => {
      this.closeSlowest();
    });
  }

  add(response: ServerResponse): void {
    const opened: OpenResponse = { since: performance.now() };
    this.open.set(response, opened);
    // The time-out runs while the client reads no byte. Node sets its own for the next request.
    response.on('prefinish', () => {
      response.req.socket.setTimeout(READ_MS);
      opened.since = performance.now();
      opened.start = undefined;
      // Between two periodic checks, responses can exceed the limit.
      if (response.writableLength >= MIN_CLOSED) this.uncheckedBytes += response.writableLength;
      if (this.uncheckedBytes >= CHECKED_BYTES) this.closeSlowest();
    });
    // A response that waits behind others of its connection does not tell when that is closed.
    response.on('close', () => this.open.delete(response));
  }

  /**
   * Closes connections whose clients read nothing for {@link STALLED_MS}, and then others until the
   * rest is within the limit.
   */
  closeSlowest(): void {
    this.uncheckedBytes = 0;
    let unread = 0;
    const now = performance.now();
    for (const [response, opened] of this.open) {
      const { socket } = response.req;
      if (socket.destroyed) this.open.delete(response);
      else if (response.writableLength > 0) {
        unread += response.writableLength;
        // Also of responses that wait behind others: these are read with their connection.
        if (opened.since <= now - this.spareMs) {
          opened.start ??= { time: now, taken: takenBytes(socket) };
        }
        if (response.headersSent) {
          // A file may never reach its end, because it is read only as fast as the client reads.
          if (socket.timeout !== READ_MS) socket.setTimeout(READ_MS);
          // Data from the client restarts the time-out.
          if (isStalled(opened, takenBytes(socket), now)) socket.destroy();
        }
      }
    }
    if (unread <= this.limit) return;
    for (const { response, rank } of this.inClosingOrder(now)) {
      const factor = rank === Rank.Spared ? SPARED_LIMIT_FACTOR : 1;
      if (unread <= factor * this.limit) return;
      unread -= response.writableLength;
      response.req.socket.destroy();
    }
  }

  /**
   * Responses that may be cut off, by rank: those of addresses and networks beyond their share begin
   * with the most unread bytes, others with the slowest. Of one address, the slowest comes first.
   */
  private inClosingOrder(now: number): ClosableResponse[] {
    const unreadOf = new Map<string, number>();
    const responses = [...this.open].map(([response, { start }]) => {
      const { req, writableLength } = response;
      const keys = countedKeys(limitKeyOf(addressOf(req, this.trustedProxies)), NETWORK_SHARES);
      for (const { key } of keys) unreadOf.set(key, (unreadOf.get(key) ?? 0) + writableLength);
      return start
        ? { response, keys, rank: Rank.Measured, weight: millisecondsPerByte(response, start, now) }
        : { response, keys, rank: Rank.Spared, weight: 0 };
    });
    return responses
      .filter(({ response }) => response.writableLength >= MIN_CLOSED)
      .sort(byRank)
      .map(({ response, keys, rank, weight }) => {
        // Bytes of the address and its networks when their responses that come before are closed.
        const unread = keys.map(({ key, share }) => share * (unreadOf.get(key) ?? 0));
        for (const { key } of keys) {
          unreadOf.set(key, (unreadOf.get(key) ?? 0) - response.writableLength);
        }
        const counted = Math.max(...unread);
        if (rank === Rank.Spared) return { response, rank, weight: counted };
        return counted > this.addressLimit
          ? { response, rank: Rank.Excessive, weight: counted }
          : { response, rank, weight };
      })
      .sort(byRank);
  }
}
