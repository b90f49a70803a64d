import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from 'pino';
import { errorText } from '../../api/errors/error-text';
import { WorkerProcess, type WorkerEnvironment } from './worker-process';

/** Milliseconds before a crashed worker is replaced: the first time, and the maximum. */
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
/** A worker that served this long resets the backoff. */
const STABLE_MS = 30_000;
/** Milliseconds that a worker has to end, in addition to its lame-duck and drain phases. */
const CLOSE_MS = 20_000;
/** Milliseconds that the successor of a worker has to start, while the other one still serves. */
const READY_MS = 120_000;

/** `Promise.withResolvers`, which Node 20 does not have. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}

export interface WorkerPoolOptions {
  readonly count: number;
  readonly env: WorkerEnvironment;
  /** Milliseconds of the lame-duck and drain phases. */
  readonly drainMs: number;
  readonly logger: Logger;
  /** Called for every worker before it starts to work. */
  readonly prepare: (worker: WorkerProcess) => void;
  /** Called after the end of a worker. */
  readonly afterEnd: (worker: WorkerProcess) => void;
}

/** The workers of a server: it replaces crashed ones, restarts all in turn, and stops them. */
export class WorkerPool {
  private readonly slots: (WorkerProcess | undefined)[];
  private readonly all = new Set<WorkerProcess>();
  private readonly stopping = new AbortController();
  /** Resolved when all workers have been started. */
  private readonly started = deferred();
  private restarting: Promise<void> | undefined;
  /** Whether another restart was requested during one: it may have read older settings. */
  private restartsAgain = false;
  private backoff = FIRST_BACKOFF_MS;
  /** Number of workers that ended unexpectedly. */
  crashes = 0;

  constructor(private readonly options: WorkerPoolOptions) {
    this.slots = Array.from({ length: options.count }, () => undefined);
  }

  /** Every running worker, including those that stop. */
  get running(): readonly WorkerProcess[] {
    return [...this.all];
  }

  /** Whether {@link stop} was called. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  get readyCount(): number {
    return this.running.filter(({ isReady, isStopping }) => isReady && !isStopping).length;
  }

  /**
   * Starts the workers: the first alone, because it migrates the database, then all others.
   *
   * @returns the message at start
   * @throws Error when the first worker ends
   */
  async start(): Promise<string> {
    const text = await this.startFirst();
    for (let slot = 1; slot < this.slots.length && !this.isStopping; slot += 1) this.launch(slot);
    await Promise.allSettled(this.running.map(({ ready }) => ready));
    this.started.resolve();
    return text;
  }

  private async startFirst(): Promise<string> {
    let first: WorkerProcess | undefined;
    try {
      first = this.fork(0, true);
      const text = await first.ready;
      this.watch(0, first);
      return text;
    } catch (error) {
      // A process prints its reason itself.
      if (first?.pid === undefined)
        this.options.logger.error(`a worker cannot be started: ${errorText(error)}`);
      throw error;
    }
  }

  private fork(slot: number, isFirst = false): WorkerProcess {
    const worker = new WorkerProcess(this.options.env, isFirst);
    this.options.prepare(worker);
    this.all.add(worker);
    this.slots[slot] = worker;
    void worker.ended.then(() => {
      this.all.delete(worker);
      this.options.afterEnd(worker);
    });
    return worker;
  }

  /** Starts a worker for a slot, again and again if the system does not let it. */
  private launch(slot: number): void {
    const before = this.slots[slot];
    try {
      this.watch(slot, this.fork(slot));
    } catch (error) {
      void this.launchLater(slot, before, `a worker cannot be started: ${errorText(error)}`);
    }
  }

  /** Replaces a worker when it ends without having been told to. */
  private watch(slot: number, worker: WorkerProcess): void {
    void worker.ended.then(async (how) => {
      if (worker.isStopping || this.stopping.signal.aborted) return;
      this.crashes += 1;
      if (performance.now() - worker.startedAt > STABLE_MS) this.backoff = FIRST_BACKOFF_MS;
      await this.launchLater(slot, worker, `worker ${worker.number} ended with ${how}`);
    });
  }

  /** @param worker the one that has the slot, if any */
  private async launchLater(
    slot: number,
    worker: WorkerProcess | undefined,
    reason: string,
  ): Promise<void> {
    const wait = this.backoff;
    this.backoff = Math.min(MAX_BACKOFF_MS, 2 * wait);
    this.options.logger.error(`${reason}; starting another one in ${wait} ms`);
    await pause(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    // A rolling restart may have filled the slot meanwhile.
    if (!this.stopping.signal.aborted && this.slots[slot] === worker) this.launch(slot);
  }

  /**
   * Replaces each worker in turn: its successor serves before it stops. When a successor does not
   * start, the remaining workers stay. A restart that is requested during another one, or during the
   * start, follows it.
   */
  restart(): Promise<void> {
    if (this.restarting) this.restartsAgain = true;
    return (this.restarting ??= this.restartWhileRequested().finally(() => {
      this.restarting = undefined;
    }));
  }

  private async restartWhileRequested(): Promise<void> {
    await this.started.promise;
    do {
      this.restartsAgain = false;
      await this.restartAll().catch((error: unknown) => {
        this.options.logger.error(`the rolling restart failed: ${errorText(error)}`);
      });
    } while (this.restartsAgain && !this.stopping.signal.aborted);
  }

  private async restartAll(): Promise<void> {
    const { logger } = this.options;
    logger.info('rolling restart of the workers');
    for (let slot = 0; slot < this.slots.length; slot += 1) {
      if (this.stopping.signal.aborted) return;
      const old = this.slots[slot];
      const successor = this.fork(slot);
      try {
        await successor.readyWithin(READY_MS);
      } catch (error) {
        successor.stop('retire', 0);
        // A worker that starts now would outlive the service, which waits for those it told to stop.
        if (this.stopping.signal.aborted) return;
        // The old worker keeps its slot, and is replaced if it has crashed.
        this.slots[slot] = old;
        if (!old || old.hasEnded) this.launch(slot);
        throw error;
      }
      this.watch(slot, successor);
      old?.stop('retire', this.options.drainMs + CLOSE_MS);
      await old?.ended;
    }
    logger.info('all workers have been restarted');
  }

  /**
   * Ends the lame-duck phase of all workers, or aborts their requests. Kills those that do not
   * respond.
   */
  hurry(): void {
    for (const worker of this.running) worker.hurry();
  }

  /**
   * Stops all workers.
   *
   * @returns whether every worker ended with status 0
   */
  async stop(): Promise<boolean> {
    this.stopping.abort();
    const workers = this.running;
    for (const worker of workers) worker.stop('all', this.options.drainMs + CLOSE_MS);
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    return ends.every((how) => how === 'status 0');
  }
}
