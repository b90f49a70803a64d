import { AggregatorRegistry, Counter, Gauge, Registry, type MetricObject } from 'prom-client';
import { type MetricsSource } from '../../metrics/metrics.server';
import { type MemoryCounters } from '../../limits/counters';
import { type MetricJson } from './worker-messages';
import { type WorkerPool } from './worker-pool';
import { type WorkerProcess } from './worker-process';

/** Types of metrics that only grow, and therefore outlive their worker. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram']);

const add = (
  parts: readonly (readonly MetricJson[])[],
): ReturnType<typeof AggregatorRegistry.aggregate> =>
  AggregatorRegistry.aggregate(parts as unknown as MetricObject[][]);

/** The metrics of all workers, added up, and those of the parent process. */
export class ClusterMetrics implements MetricsSource {
  private readonly own = new Registry();
  /** Sums of the workers that have ended. */
  private ended: readonly MetricJson[] = [];
  private adding: Promise<void> = Promise.resolve();

  constructor(
    private readonly workers: WorkerPool,
    counters: MemoryCounters,
  ) {
    new Gauge({
      name: 'commonplace_workers',
      help: 'Workers that serve requests',
      registers: [this.own],
      collect() {
        this.set(workers.readyCount);
      },
    });
    new Counter({
      name: 'commonplace_worker_crashes_total',
      help: 'Workers that ended unexpectedly',
      registers: [this.own],
      collect() {
        this.reset();
        this.inc(workers.crashes);
      },
    });
    new Gauge({
      name: 'commonplace_counters',
      help: 'Rate-limit counters in the memory of the parent process (maximum COUNTERS_IN_MEMORY)',
      registers: [this.own],
      collect() {
        this.set(counters.size);
      },
    });
  }

  get contentType(): string {
    return this.own.contentType;
  }

  async text(): Promise<string> {
    await this.adding;
    const ofWorkers = await Promise.all(this.workers.running.map((worker) => worker.readMetrics()));
    const own = (await this.own.getMetricsAsJSON()) as unknown as MetricJson[];
    return add([own, this.ended, ...ofWorkers]).metrics();
  }

  /** Keeps the counters of a worker that has ended, so that sums never fall. */
  keep({ metrics }: WorkerProcess): void {
    const growing = metrics.filter(({ type }) => GROWING.has(type));
    this.adding = this.adding.then(async () => {
      this.ended = (await add([this.ended, growing]).getMetricsAsJSON()) as unknown as MetricJson[];
    });
  }
}
