import { type Metrics } from '../../metrics/metrics';
import { parentChannel } from '../../workers/worker';
import { StopSignals } from '../stop-signals';
import { FROM_PARENT, FROM_WORKER, type StopKind } from './worker-messages';

/** When and how a worker stops. */
export interface WorkerStop {
  readonly signal: AbortSignal;
  /** Whether other workers continue to serve. */
  readonly retires: () => boolean;
}

/**
 * Stops the worker when the parent process or SIGTERM says so. Ctrl-C and a closed terminal reach
 * all processes; the parent process decides what they mean.
 *
 * @param hurry called for requests to stop faster
 */
export function followParent(hurry: () => void): WorkerStop {
  const signals = new StopSignals(hurry, ['SIGTERM']);
  for (const ignored of ['SIGINT', 'SIGHUP'] as const) process.on(ignored, () => undefined);
  let retires = false;
  parentChannel()?.handle(FROM_PARENT.stop, (kind) => {
    if ((kind as StopKind) === 'hurry') {
      hurry();
    } else {
      retires = kind === 'retire' && !signals.signal.aborted;
      signals.handle('SIGTERM');
    }
    return null;
  });
  return { signal: signals.signal, retires: () => retires };
}

/**
 * A function that waits until the parent process has handed over all connections that it accepted.
 * The parent waits at most three seconds. Undefined in a process that is not a worker.
 */
export function createHandOverWait(): (() => Promise<void>) | undefined {
  const channel = parentChannel();
  return channel && (() => channel.request<void>(FROM_WORKER.beforeClose).catch(() => undefined));
}

/** Lets the parent process read the metrics. @returns false in a process that is not a worker */
export function shareMetrics(metrics: Metrics): boolean {
  const channel = parentChannel();
  channel?.handle(FROM_PARENT.metrics, () => metrics.registry.getMetricsAsJSON());
  return channel !== undefined;
}

/** Sends the last metrics of a worker that ends, because counters of ended workers still count. */
export async function reportMetrics(metrics: Metrics): Promise<void> {
  const channel = parentChannel();
  if (!channel) return;
  const values = await metrics.registry.getMetricsAsJSON();
  await channel.request(FROM_WORKER.lastMetrics, values).catch(() => undefined);
}
