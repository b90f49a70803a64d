import { type Metrics } from '../../metrics/metrics';
import { primaryChannel } from '../../workers/worker';
import { StopSignals } from '../stop-signals';
import { FROM_PRIMARY, FROM_WORKER, type StopKind } from './worker-messages';

/** When and how a worker stops. */
export interface WorkerStop {
  readonly signal: AbortSignal;
  /** Whether other workers continue to serve. */
  readonly retires: () => boolean;
}

/**
 * Stops the worker when the primary process or SIGTERM says so. Ctrl-C and a closed terminal reach
 * all processes; the primary process decides what they mean.
 *
 * @param hurry called for requests to stop faster
 */
export function followPrimary(hurry: () => void): WorkerStop {
  const signals = new StopSignals(hurry, ['SIGTERM']);
  for (const ignored of ['SIGINT', 'SIGHUP'] as const) process.on(ignored, () => undefined);
  let retires = false;
  primaryChannel()?.handle(FROM_PRIMARY.stop, (kind) => {
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

/** Lets the primary process read the metrics. @returns false in a process that is not a worker */
export function answerMetrics(metrics: Metrics): boolean {
  const channel = primaryChannel();
  channel?.handle(FROM_PRIMARY.metrics, () => metrics.registry.getMetricsAsJSON());
  return channel !== undefined;
}

/** Sends the last metrics of a worker that ends, because counters of ended workers still count. */
export async function reportMetrics(metrics: Metrics): Promise<void> {
  const channel = primaryChannel();
  if (!channel) return;
  const values = await metrics.registry.getMetricsAsJSON();
  await channel.ask(FROM_WORKER.lastMetrics, values).catch(() => undefined);
}
