import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Settings } from '../../config/settings';
import { apart } from '../../database/database';
import { JobProcess } from './job-process';
import { JobsService } from './jobs.service';

/** How often a server looks for what another process left, in milliseconds. */
const EVERY = 30_000;

/** Milliseconds after which a job is resumed whose process has ended. */
const AFTER_CRASH = 1000;

/** Lets a server do jobs: at its start, when one is asked for, and now and then. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobRunner.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private crashTimer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly jobs: JobsService,
    private readonly process: JobProcess,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    // What is noted with the asking for a job is not noted with what the job does.
    this.jobs.onAdded = () => {
      apart(() => {
        this.look();
      });
    };
    this.timer = setInterval(() => {
      this.look();
    }, EVERY).unref();
    this.look();
  }

  /** What is at work stops after its batch, and is gone on with by the next process. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.crashTimer);
    this.jobs.onAdded = undefined;
    this.stopping.abort();
    await this.running;
  }

  /** Looks for something to do, once more when asked while it does something. */
  private look(): void {
    if (this.stopping.signal.aborted) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.work()
      .catch((error: unknown) => {
        this.logger.warn(`jobs were not looked for: ${String(error)}`);
      })
      .finally(() => {
        this.running = undefined;
        const { again } = this;
        this.again = false;
        if (again) this.look();
      });
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    if (this.settings.JOB_MEMORY_MB === 0) {
      await this.jobs.runWaiting(signal);
      return;
    }
    if (!(await this.jobs.isWorkWaiting()) || signal.aborted) return;
    const crash = await this.process.run(signal);
    if (crash === undefined) return;
    this.logger.error(`the process of jobs ended with ${crash}`);
    this.crashTimer = setTimeout(() => {
      this.look();
    }, AFTER_CRASH).unref();
    await this.jobs.noteCrash(crash);
  }
}
