import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, Optional, type OnModuleDestroy } from '@nestjs/common';
import { Database } from './database';
import { type ScheduledTask } from './scheduled-task';
import { ScheduledTasksRepository, type Lease } from './scheduled-tasks.repository';

/** How tasks are scheduled; tests have shorter times. Milliseconds, unless named otherwise. */
export class TaskTimes {
  /** From the start of a process to its first look: early, and not in the same moment as others. */
  readonly firstLook: number = 60_000 + Math.random() * 60_000;
  /** Between looks for tasks that are due. */
  readonly betweenLooks: number = 60_000;
  /** Between renewals of the lease of a task that runs. */
  readonly betweenRenewals: number = 30_000;
  /** Seconds that a lease holds without being renewed: the process that had it is gone. */
  readonly leaseSeconds: number = 120;
  /** Seconds until a task that failed is tried again. */
  readonly retrySeconds: number = 300;
  /** The longest that a run may take: other tasks wait for it. */
  readonly longestRun: number = 1_800_000;
  /** What a run gets to end when the process stops. */
  readonly lastMoment: number = 5000;
}

/**
 * Runs tasks once for all processes on a database, one at a time: each process looks now and then for
 * a task that is due, and claims it with a lease. When a task was last run is in the database, so that
 * it is run however often processes are restarted.
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
    if (this.tasks.has(task.taskName)) throw new Error(`there are two tasks "${task.taskName}"`);
    this.tasks.set(task.taskName, task);
  }

  /** Looks for tasks that are due, from soon after now until the process stops. */
  start(): void {
    this.schedule(this.times.firstLook);
  }

  /** Whether this process looks for tasks. */
  get started(): boolean {
    return this.timer !== undefined;
  }

  private schedule(delay: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => void this.look(), delay).unref();
  }

  /** One look. Whatever fails in it, the next one follows. */
  private async look(): Promise<void> {
    try {
      await this.runDue();
    } catch (error) {
      this.logger.warn(`tasks were not looked for: ${messageOf(error)}`);
    } finally {
      this.schedule(this.times.betweenLooks);
    }
  }

  /**
   * Runs every task that is due, one after the other, as long as no other process runs one.
   *
   * @returns names of those that ran here
   * @throws ApiError 999 with 503 when the database is away (D5)
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
      const message = messageOf(error);
      this.logger.warn(`${lease.name} failed, and is tried again in ${retrySeconds} s: ${message}`);
      await this.repository.fail(lease, Math.min(retrySeconds, task.intervalSeconds), message);
      return;
    }
    const milliseconds = Math.round(performance.now() - startedAt);
    this.logger.debug(`${lease.name} ran for ${milliseconds} ms`);
    await this.repository.succeed(lease, task.intervalSeconds);
  }

  /** @throws what the task throws; Error when it took too long, or its lease was lost */
  private async runLeased(lease: Lease, task: ScheduledTask): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.stopping.signal]);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    const tooLong = setTimeout(() => {
      ending.abort(new Error('it took too long'));
    }, this.times.longestRun).unref();
    const renewal = setInterval(() => {
      this.repository.renew(lease, this.times.leaseSeconds).then(
        (held) => {
          if (!held) ending.abort(new Error('another process has taken it over'));
        },
        // The lease holds for some renewals more.
        () => undefined,
      );
    }, this.times.betweenRenewals).unref();
    try {
      const work = task.run(signal);
      // A task that does not end by itself when asked to must not keep others from running.
      await Promise.race([work, ended.catch((error: unknown) => this.giveUp(work, error))]);
      signal.throwIfAborted();
    } finally {
      clearTimeout(tooLong);
      clearInterval(renewal);
    }
  }

  /** Gives work that was asked to end a moment to do so. @throws why it was asked */
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
    this.stopping.abort(new Error('the process stops'));
    await this.running;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
