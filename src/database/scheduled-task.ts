import { Inject, type OnModuleInit } from '@nestjs/common';
import { TaskScheduler } from './task-scheduler';

/** Seconds of an hour. */
const HOUR = 3600;

/** Periodic work of one process among all on a database, by default hourly. */
export abstract class ScheduledTask implements OnModuleInit {
  /** Name in the table `scheduled_tasks`; unique, and never changed. */
  abstract readonly taskName: string;

  /** Seconds from the end of a run to the next. */
  readonly intervalSeconds: number = HOUR;

  @Inject(TaskScheduler)
  private readonly scheduler!: TaskScheduler;

  onModuleInit(): void {
    this.scheduler.register(this);
  }

  /**
   * Does the work. A failed run is retried before the next interval.
   *
   * @param signal is aborted when the process stops or the run takes too long
   */
  abstract run(signal: AbortSignal): Promise<void>;
}
