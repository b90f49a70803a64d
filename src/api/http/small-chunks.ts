import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Readable } from 'node:stream';
import { skipBody } from './node-parser';
import { skipRest } from './pipelines';
import { refuseUnreadable } from './unparsable-requests';
import { concatUnpooled } from './unpooled';

/** Chunks of a body without a minimum size: clients may send a form piece by piece. */
const FREE_CHUNKS = 1000;
/** Bytes that further chunks must have on average. */
const MEAN_BYTES = 64;

/** Maximum bytes of a chunk that is joined with others. */
const SMALL_BYTES = 4096;
/** Bytes of joined chunks. */
const JOINED_BYTES = 8192;
/** Milliseconds that the last small chunks wait for more. */
const WAIT_MS = 500;

/** Milliseconds within which the requests of a connection count together. */
const TOGETHER_MS = 1000;

/** Chunks of bodies, and their bytes. */
interface Received {
  readonly since: number;
  chunks: number;
  bytes: number;
}

/** What each connection has sent lately. */
const receivedBySocket = new WeakMap<Socket, Received>();

/** The coalescer of each request with a body. */
const coalescers = new WeakMap<IncomingMessage, ChunkCoalescer>();

/** Bytes of memory of the small chunks of a body that wait for more; 0 without {@link coalesceChunks}. */
export const coalescedBytesOf = (request: IncomingMessage): number =>
  coalescers.get(request)?.bytes ?? 0;

/** What counts for a request: those that wait, and those in quick succession, count together. */
function receivedBy({ socket }: IncomingMessage, response: ServerResponse): Received {
  const now = performance.now();
  const before = receivedBySocket.get(socket);
  if (before && (response.socket === null || now - before.since < TOGETHER_MS)) return before;
  const received = { since: now, chunks: 0, bytes: 0 };
  receivedBySocket.set(socket, received);
  return received;
}

/** Whether a request has the headers of a body, which may be empty. */
export const hasBodyHeaders = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Coalesces small chunks of a body. Rejects a body with 999 after 1,000 chunks plus one for each 64
 * bytes. Bodies that a connection sends within a second count together, and so do those of requests
 * that wait for earlier ones. Call it only for requests with a body.
 *
 * A chunk takes about 500 bytes of memory until the body is complete, and a microsecond, so that
 * chunks of one byte would multiply the size of a body. Node reads the body of a request also while
 * its response waits for an earlier one of the connection.
 */
export function coalesceChunks(request: IncomingMessage, response: ServerResponse): void {
  const coalescer = new ChunkCoalescer(request, request.push.bind(request));
  coalescers.set(request, coalescer);
  const received = receivedBy(request, response);
  let refused = false;
  request.push = (chunk: Buffer | null): boolean => {
    if (refused) return false;
    if (chunk === null) return coalescer.end();
    received.chunks += 1;
    received.bytes += chunk.length;
    if (received.chunks <= FREE_CHUNKS + received.bytes / MEAN_BYTES) return coalescer.add(chunk);
    refused = true;
    coalescer.stop();
    refuse(request, response);
    return false;
  };
  request.once('close', () => {
    coalescer.stop();
  });
  response.on('prefinish', () => {
    if (request.complete) return;
    // The rest is read and counted. Otherwise Node would discard it, chunk by chunk, before it is
    // counted.
    request.read(0);
    request.resume();
  });
}

/** Coalesces small chunks of a stream. */
class ChunkCoalescer {
  /** The only small chunk so far. Most bodies have no other. */
  private first: Buffer | undefined;
  private joined: Buffer | undefined;
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param push of the stream itself */
  constructor(
    private readonly stream: Readable,
    private readonly push: (chunk: Buffer | null) => boolean,
  ) {}

  /** Bytes of its buffers. */
  get bytes(): number {
    return (this.first?.length ?? 0) + (this.joined?.length ?? 0);
  }

  /** @returns whether the stream wants more */
  add(chunk: Buffer): boolean {
    if (chunk.length > SMALL_BYTES) {
      this.flush();
      return this.push(chunk);
    }
    if (this.size + chunk.length > JOINED_BYTES) this.flush();
    if (this.size === 0) {
      this.first = chunk;
      this.size = chunk.length;
    } else {
      this.join(chunk);
    }
    this.timer ??= setTimeout(() => this.flushAndRelease(), WAIT_MS).unref();
    return this.stream.readableLength < this.stream.readableHighWaterMark;
  }

  end(): boolean {
    this.flushAndRelease();
    return this.push(null);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.first = undefined;
    this.size = 0;
  }

  private join(chunk: Buffer): void {
    // Not from the pool of Node: a small part of it would keep 64 KB in memory.
    this.joined ??= Buffer.allocUnsafeSlow(JOINED_BYTES);
    this.first?.copy(this.joined);
    this.first = undefined;
    chunk.copy(this.joined, this.size);
    this.size += chunk.length;
  }

  /** Flushes, and releases the buffer, which would otherwise stay in memory until the next chunk. */
  private flushAndRelease(): void {
    this.flush();
    this.joined = undefined;
  }

  private flush(): void {
    const { first, joined, size } = this;
    this.stop();
    if (size === 0) return;
    // A copy has no more memory than its bytes, and `joined` is used again.
    if (first !== undefined) this.push(first);
    else if (joined !== undefined) this.push(concatUnpooled(joined.subarray(0, size)));
  }
}

function refuse({ method, url, socket }: IncomingMessage, response: ServerResponse): void {
  skipBody(socket);
  // Without a socket it waits: the client would take it for the response to an earlier request.
  if (response.socket === null) {
    skipRest(socket);
    socket.destroy();
    return;
  }
  refuseUnreadable(
    Object.assign(new Error('the chunks of a body are too small'), {
      code: 'ERR_HTTP_SMALL_CHUNKS',
      rawPacket: Buffer.from(`${method} ${url}`),
    }),
    socket,
  );
  // Nothing further is read until the connection is closed.
  skipRest(socket);
  socket.pause();
}
