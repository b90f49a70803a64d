import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type ParsedSocket } from './node-parser';
import { clearUpgradeFlag } from './upgrades';

/** Maximum numbers of requests that wait for the responses to earlier ones of their connection. */
export interface PipelineLimits {
  /** Requests of one connection, including the first. Pipelining (RFC 9112, 9.3.2) is rare. */
  readonly connection: number;
  /** Waiting requests of all connections, before `busyConnection` applies. */
  readonly total: number;
  /** Requests of one connection while more than `total` wait. */
  readonly busyConnection: number;
}

/**
 * With 2,000 waiting requests the event loop needs about 0.2 s for all of them. Without `total`, a
 * thousand connections could send 100,000 requests in 4 MB, which takes it many seconds.
 */
const PIPELINE_LIMITS: PipelineLimits = { connection: 100, total: 2000, busyConnection: 5 };

/** The value with which Node's parser ends after the headers, as for an upgrade of the protocol. */
const END_OF_HTTP = 2;

/**
 * Makes Node's parser ignore further requests in the data that it has read. Otherwise it takes 25 µs
 * for each of them, also after the connection is destroyed.
 */
export function skipRest(socket: Socket): void {
  const { parser } = socket as ParsedSocket;
  if (!parser) return;
  parser.onIncoming = (request) => {
    clearUpgradeFlag(request);
    return END_OF_HTTP;
  };
}

/** The requests of a connection whose responses are not complete. */
interface Pipeline {
  /** Including the one that is handled. */
  length: number;
  /** The response to the request that is handled. */
  current: ServerResponse | undefined;
  /** The later ones, in their order. */
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly response: ServerResponse;
  readonly handle: () => void;
}

const pipelines = new WeakMap<Duplex, Pipeline>();

/** The response of a connection that is not complete; undefined while the connection is idle. */
export const currentResponse = (socket: Duplex): ServerResponse | undefined =>
  pipelines.get(socket)?.current;

/** The response to the newest request of a connection; undefined while the connection is idle. */
export const newestResponse = (socket: Duplex): ServerResponse | undefined => {
  const pipeline = pipelines.get(socket);
  return pipeline?.waiting.at(-1)?.response ?? pipeline?.current;
};

/**
 * Handles the requests of a connection one after the other: Node does not tell a response that waits
 * for an earlier one when the connection closes, so that it would keep its files and connections.
 * Connections with too many requests at once are closed, because Node continues to read before any
 * response is written, and each request of 40 bytes takes about 7 KB of memory.
 */
export class Pipelines {
  private waiting = 0;

  constructor(private readonly limits: PipelineLimits = PIPELINE_LIMITS) {}

  /**
   * Handles a request as soon as the responses to earlier ones of its connection are complete; never
   * if the connection closes before.
   */
  enter({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    if (socket.destroyed) return;
    const pipeline = pipelines.get(socket) ?? this.open(socket);
    const { connection, total, busyConnection } = this.limits;
    if (pipeline.length >= (this.waiting < total ? connection : busyConnection)) {
      skipRest(socket);
      socket.destroy();
      return;
    }
    pipeline.length += 1;
    response.on('close', () => {
      this.next(socket, pipeline);
    });
    if (pipeline.length === 1) {
      pipeline.current = response;
      handle();
    } else {
      this.waiting += 1;
      pipeline.waiting.push({ response, handle });
    }
  }

  private open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { length: 0, current: undefined, waiting: [] };
    pipelines.set(socket, pipeline);
    socket.once('close', () => {
      this.waiting -= pipeline.waiting.splice(0).length;
    });
    return pipeline;
  }

  /** Handles the next request after a response, unless that ended the connection. */
  private next(socket: Socket, pipeline: Pipeline): void {
    pipeline.length -= 1;
    const next = pipeline.waiting.shift();
    pipeline.current = next?.response;
    if (!next) return;
    this.waiting -= 1;
    if (socket.writable) next.handle();
  }
}
