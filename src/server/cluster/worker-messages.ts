/** Questions of a worker to the parent process. */
export const FROM_WORKER = {
  /** Whether the worker prints the message at start. Response: boolean. */
  isFirst: 'worker.is-first',
  /** The worker serves. Payload: the message to print, or ''. */
  ready: 'worker.ready',
  /** The worker is about to close its servers. The response is sent when it may do so. */
  beforeClose: 'worker.before-close',
  /** The last metrics of a worker that ends. Payload: {@link MetricJson} list. */
  lastMetrics: 'worker.last-metrics',
} as const;

/** Questions of the parent process to a worker. */
export const FROM_PARENT = {
  /** Stop. Payload: {@link StopKind}. The response means only that it was received. */
  stop: 'worker.stop',
  /** The current metrics. Response: {@link MetricJson} list. */
  metrics: 'worker.metrics',
} as const;

/**
 * How a worker stops: `all` with the server (lame duck, drain), `retire` while a successor serves
 * all new connections, `hurry` ends the current phase early.
 */
export type StopKind = 'all' | 'retire' | 'hurry';

/** A metric as prom-client serializes it. */
export interface MetricJson {
  readonly name: string;
  readonly type: string;
}
