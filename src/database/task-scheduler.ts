import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, Optional, type OnModuleDestroy } from '@nestjs/common';
import { errorText } from '../api/errors/error-text';
import { Database } from './database';
import { type ScheduledTask } from './scheduled-task';
import { ScheduledTasksRepository, type Lease } from './scheduled-tasks.repository';

/** Times of the scheduler in milliseconds, unless named otherwise; tests use shorter ones. */
export class TaskTimes {
  /** From the start of a process to its first check; random, to spread the processes. */
  readonly firstLook: number = 60_000 + Math.random() * 60_000;
  /** Between checks for due tasks. */
  readonly betweenLooks: number = 60_000;
  /** Between renewals of the lease of a running task. */
  readonly betweenRenewals: number = 30_000;
  /** Lifetime of a lease without renewal in seconds; after that its process counts as dead. */
  readonly leaseSeconds: number = 120;
  /** Seconds until a failed task is retried. */
  readonly retrySeconds: number = 300;
  /** Maximum duration of a run, because other tasks wait for it. */
  readonly longestRun: number = 1_800_000;
  /** Time for a run to end when the process stops. */
  readonly lastMoment: number = 5000;
}

/**
 * Runs tasks once for all processes on a database, one at a time. Each process periodically checks
 * for a due task, and claims it with a lease. The database stores the last run of each task, so
 * that restarts of processes do not affect the schedule.
 */
@Injectable()
export class TaskScheduler implements OnModuleDestroy {
  private readonly logger = new Logger(TaskScheduler.name);
  private readonly tasks = new Map<string, ScheduledTask>();
  private readonly repository: ScheduledTasksRepository;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    database: Database,
    @Optional() private readonly times: TaskTimes = new TaskTimes(),
  ) {
    this.repository = new ScheduledTasksRepository(database);
  }

  /** @throws Error when another task has the name */
  register(task: ScheduledTask): void {
    if (this.tasks.has(task.taskName))
      throw new Error(`the task "${task.taskName}" is registered twice`);
    this.tasks.set(task.taskName, task);
  }

  /** Starts the periodic checks for due tasks, until the process stops. */
  start(): void {
    this.schedule(this.times.firstLook);
  }

  /** Whether this process checks for due tasks. */
  get started(): boolean {
    return this.timer !== undefined;
  }

  private schedule(delay: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => void this.poll(), delay).unref();
  }

  /** One check. The next one follows also after a failure. */
  private async poll(): Promise<void> {
    try {
      await this.runDue();
    } catch (error) {
      this.logger.warn(`cannot check for due tasks: ${errorText(error)}`);
    } finally {
      this.schedule(this.times.betweenLooks);
    }
  }

  /**
   * Runs every due task, one after the other, until another process runs one.
   *
   * @returns names of the tasks that ran here
   * @throws ApiError 999 with 503 when the database is unavailable (D5)
   */
  runDue(): Promise<string[]> {
    const running = this.runAllDue();
    this.running = running.catch(() => undefined);
    return running;
  }

  private async runAllDue(): Promise<string[]> {
    const names = [...this.tasks.keys()];
    const ran: string[] = [];
    while (!this.stopping.signal.aborted) {
      const lease = await this.repository.claim(names, randomUUID(), this.times.leaseSeconds);
      const task = lease && this.tasks.get(lease.name);
      if (!task) break;
      await this.run(lease, task);
      ran.push(lease.name);
    }
    return ran;
  }

  private async run(lease: Lease, task: ScheduledTask): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.runLeased(lease, task);
    } catch (error) {
      if (this.stopping.signal.aborted) {
        await this.repository.release(lease);
        return;
      }
      const { retrySeconds } = this.times;
      const message = errorText(error);
      this.logger.warn(`${lease.name} failed, next attempt in ${retrySeconds} s: ${message}`);
      await this.repository.fail(lease, Math.min(retrySeconds, task.intervalSeconds), message);
      return;
    }
    const milliseconds = Math.round(performance.now() - startedAt);
    this.logger.debug(`${lease.name} ran for ${milliseconds} ms`);
    await this.repository.succeed(lease, task.intervalSeconds);
  }

  /** @throws errors of the task; Error when it took too long, or its lease was lost */
  private async runLeased(lease: Lease, task: ScheduledTask): Promise<void> {
    const ending = new AbortController();
    const { signal } = ending;
    const { signal: stopping } = this.stopping;
    // Node keeps signals of `AbortSignal.any` with listeners in memory until they are aborted.
    const stop = (): void => {
      ending.abort(stopping.reason);
    };
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    const tooLong = setTimeout(() => {
      ending.abort(new Error('the task took too long'));
    }, this.times.longestRun).unref();
    const renewal = setInterval(() => {
      this.repository.renew(lease, this.times.leaseSeconds).then(
        (renewed) => {
          if (!renewed) ending.abort(new Error('another process has taken over the task'));
        },
        // The lease outlasts some failed renewals.
        () => undefined,
      );
    }, this.times.betweenRenewals).unref();
    try {
      const work = task.run(signal);
      // A task that ignores its signal must not block others.
      await Promise.race([work, ended.catch((error: unknown) => this.giveUp(work, error))]);
      signal.throwIfAborted();
    } finally {
      clearTimeout(tooLong);
      clearInterval(renewal);
      stopping.removeEventListener('abort', stop);
    }
  }

  /** Waits briefly for aborted work to end. @throws the reason of the abort */
  private async giveUp(work: Promise<void>, reason: unknown): Promise<never> {
    const { lastMoment } = this.times;
    await Promise.race([work.catch(() => undefined), pause(lastMoment, undefined, { ref: false })]);
    throw reason;
  }

  /** When the tasks of this process last succeeded, in any process. */
  lastSuccesses(): Promise<{ name: string; at: Date }[]> {
    return this.repository.lastSuccesses([...this.tasks.keys()]);
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    this.stopping.abort(new Error('the process is stopping'));
    await this.running;
  }
}
