import { Inject, type OnModuleInit } from '@nestjs/common';
import { TaskScheduler } from './task-scheduler';

/** Seconds of an hour. */
const HOUR = 3600;

/** Work that is done once an hour, by one of all processes on a database. */
export abstract class ScheduledTask implements OnModuleInit {
  /** Name in the table `scheduled_tasks`; never another task's, and never changed. */
  abstract readonly taskName: string;

  /** Seconds from the end of a run to the next. */
  readonly intervalSeconds: number = HOUR;

  @Inject(TaskScheduler)
  private readonly scheduler!: TaskScheduler;

  onModuleInit(): void {
    this.scheduler.register(this);
  }

  /**
   * Does the work. A run that fails is repeated sooner than the next one.
   *
   * @param signal is aborted when the process stops, or the run took too long
   */
  abstract run(signal: AbortSignal): Promise<void>;
}
