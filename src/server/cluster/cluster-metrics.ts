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
  /** Metrics of the workers that have ended, one or more lists to be added up. */
  private ended: readonly (readonly MetricJson[])[] = [];

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
    await Promise.all(this.workers.running.map((worker) => worker.readMetrics()));
    const own = (await this.own.getMetricsAsJSON()) as unknown as MetricJson[];
    // Read in one turn: a worker that ended during the requests above is among the ended ones.
    const ofRunning = this.workers.running.map(({ metrics }) => metrics);
    return add([own, ...this.ended, ...ofRunning]).metrics();
  }

  /**
   * Keeps the counters of a worker that has ended, so that sums never fall. Call it in the turn in
   * which the worker leaves {@link WorkerPool.running}, so that it counts exactly once.
   */
  keep({ metrics }: WorkerProcess): void {
    this.ended = [...this.ended, metrics.filter(({ type }) => GROWING.has(type))];
    void this.addUpEnded();
  }

  /** Replaces the lists by their sum, unless another one was added meanwhile. */
  private async addUpEnded(): Promise<void> {
    const parts = this.ended;
    const sum = (await add(parts).getMetricsAsJSON()) as unknown as MetricJson[];
    if (this.ended === parts) this.ended = [sum];
  }
}
