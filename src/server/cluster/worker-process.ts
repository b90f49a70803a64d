import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { type Channel } from '../../workers/channel';
import { channelTo } from '../../workers/worker';
import { closeUntakenConnections } from './untaken-connections';
import { FROM_PARENT, FROM_WORKER, type MetricJson, type StopKind } from './worker-messages';

/** Environment variables that differ from those of the parent process. */
export type WorkerEnvironment = Readonly<Record<string, string>>;

/** A worker, as the parent process sees it. */
export class WorkerProcess {
  readonly channel: Channel;
  readonly startedAt = performance.now();
  /** Fulfilled when it serves; rejected when it ends before. */
  readonly ready: Promise<string>;
  /** Fulfilled with a description when the process is gone. */
  readonly ended: Promise<string>;
  /** Whether it was told to stop. */
  isStopping = false;
  isReady = false;
  hasEnded = false;
  /** The metrics that it reported last. */
  metrics: readonly MetricJson[] = [];
  private readonly worker: Worker;
  private timer: NodeJS.Timeout | undefined;

  /**
   * Starts a worker. If the system has no process or descriptor for it, it has ended at once.
   *
   * @param isFirst whether it prints the message at start
   * @throws Error of the system in other cases, such as too little memory
   */
  constructor(env: WorkerEnvironment, isFirst: boolean) {
    this.worker = cluster.fork(env);
    const failedStart = new Promise<string>((resolve) => {
      this.worker.on('error', (error) => {
        // A closed channel is reported by `exit`.
        if (this.pid !== undefined) return;
        // Node removes a worker when it emits `exit`: not when no process was created.
        delete cluster.workers?.[this.worker.id];
        resolve(error.message);
      });
    });
    if (this.pid !== undefined) closeUntakenConnections(this.worker);
    this.channel = channelTo(this.worker);
    this.channel.handle(FROM_WORKER.isFirst, () => isFirst);
    this.channel.handle(FROM_WORKER.lastMetrics, (metrics) => {
      this.metrics = metrics as MetricJson[];
      return null;
    });
    // `once` of node:events would reject on `error`, which a closed channel also emits.
    const exited = new Promise<[code: number, signal: string | null]>((resolve) => {
      this.worker.once('exit', (code: number, signal: string | null) => {
        resolve([code, signal]);
      });
    });
    const how = exited.then(([code, signal]) => (signal ? `signal ${signal}` : `status ${code}`));
    this.ended = Promise.race([how, failedStart]).then((description) => {
      this.hasEnded = true;
      this.isReady = false;
      clearTimeout(this.timer);
      this.channel.close();
      return description;
    });
    this.ready = new Promise((resolve, reject) => {
      this.channel.handle(FROM_WORKER.ready, (text) => {
        this.isReady = true;
        resolve(text as string);
        return null;
      });
      void this.ended.then((how) => {
        reject(new Error(`the worker ended with ${how} at its start`));
      });
    });
    this.ready.catch(() => undefined);
  }

  /** Waits until it serves. @throws Error when it ends or is not ready in time */
  async readyWithin(milliseconds: number): Promise<void> {
    const done = new AbortController();
    const tooSlow = pause(milliseconds, undefined, { ref: false, signal: done.signal }).then(() => {
      throw new Error(`the worker was not ready within ${milliseconds / 1000} s`);
    });
    tooSlow.catch(() => undefined);
    await Promise.race([this.ready, tooSlow]).finally(() => done.abort());
  }

  get number(): number {
    return this.worker.id;
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** Tells it to stop, and kills it when it takes too long. */
  stop(kind: 'all' | 'retire', patienceMs: number): void {
    if (this.hasEnded) return;
    this.isStopping = true;
    void this.channel.request(FROM_PARENT.stop, kind).catch(() => undefined);
    this.timer ??= setTimeout(() => this.kill(), patienceMs).unref();
  }

  /**
   * Tells it to stop faster, and kills it when it does not respond. When it responds, it limits the
   * time of its remaining phases.
   */
  hurry(): void {
    if (this.hasEnded) return;
    const kind: StopKind = 'hurry';
    this.channel.request(FROM_PARENT.stop, kind).catch(() => this.kill());
  }

  private kill(): void {
    if (!this.hasEnded) this.worker.process.kill('SIGKILL');
  }

  /** Reads its metrics; those that it reported last if it does not answer. */
  async readMetrics(): Promise<readonly MetricJson[]> {
    try {
      if (this.isReady) this.metrics = await this.channel.request(FROM_PARENT.metrics);
    } catch {
      // It is about to end, or busy: the previous values count.
    }
    return this.metrics;
  }
}
