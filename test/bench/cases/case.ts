import { type Sample, type Volume } from '../volume';

/** The servers: the service, another build of it, `node:http` and Fastify with `pg` by hand. */
export type TargetName = 'server' | 'against' | 'bare' | 'fastify';

export interface Target {
  readonly name: TargetName;
  readonly port: number;
}

/** Complete HTTP requests, in the order in which they are sent. */
export interface Requests {
  /** Starts again after the last request. */
  readonly repeat: boolean;
  /** The requests of a run, at most `limit`. */
  take(limit: number): readonly string[];
  /** Tells how many of them have been sent. */
  sent(count: number): void;
}

/** Requests that are measured. */
export interface Case {
  readonly name: string;
  /** Number of connections: 16 for throughput, one for latency. */
  readonly clients: number;
  /** Bare and Fastify are measured too. */
  readonly compared: boolean;
  /** Status of the responses to GET of a server; 200 when absent. POST has 201. */
  readonly status?: (target: Target) => number;
  /** What the responses of the service must contain in their header fields. */
  readonly headers?: RegExp;
  /**
   * Requests of each server before the measured ones, for cases whose rate depends on what the
   * service has in memory, or whose runs are too short for V8 to compile what they use; 2,000 when
   * absent.
   */
  readonly warmUp?: number;
  open(target: Target): Requests | Promise<Requests>;
  readonly asked: {
    /** Least ratio to bare. */
    readonly ratio?: number;
    /** Most milliseconds of 95 of 100 responses. */
    readonly p95?: number;
  };
}

/** What cases are made from. */
export interface Context {
  readonly volume: Volume;
  readonly sample: Sample;
  readonly seed: number;
  readonly rounds: number;
}

/** Clients of cases of throughput. */
export const MANY = 16;

/** Whether a server is a build of the service. */
export const isService = ({ name }: Target): boolean => name === 'server' || name === 'against';

/** The same requests again and again. */
export const repeated = (requests: readonly string[]): Requests => ({
  repeat: true,
  take: () => requests,
  sent: () => undefined,
});

/** Requests of which each is sent once. Those that a run did not send are those of the next run. */
export function sequence(generate: () => string): Requests {
  let rest: string[] = [];
  return {
    repeat: false,
    take: (limit) => {
      while (rest.length < limit) rest.push(generate());
      return rest;
    },
    sent: (count) => {
      rest = rest.slice(count);
    },
  };
}

/**
 * Requests for records of which each is read once at most: `warmUp` of them in the first run, and as
 * many as fit into each of the other `rounds`.
 */
export function slices(
  ids: Uint32Array,
  { warmUp, rounds }: { readonly warmUp: number; readonly rounds: number },
  generate: (id: number) => string,
): Requests {
  const size = Math.floor((ids.length - warmUp) / rounds);
  let from = 0;
  let to = warmUp;
  return {
    repeat: false,
    take: () => {
      const requests = Array.from(ids.subarray(from, to), generate);
      [from, to] = [to, to + size];
      return requests;
    },
    sent: () => undefined,
  };
}
