import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Settings } from '../../config/settings';
import { detached } from '../../api/http/current-request';
import { JobProcess } from './job-process';
import { JobsService } from './jobs.service';

/**
 * Interval in milliseconds to look for jobs that another process left, and for a process that runs
 * the jobs of others (`ROLE=jobs`).
 */
const EVERY = 30_000;
const EVERY_OF_OTHERS = 2000;

/** Milliseconds before a job is resumed after its process crashed. */
const AFTER_CRASH = 1000;

/** Runs the jobs of a server: at startup, when a job is created, and periodically. */
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
    if (!this.settings.runsJobs) return;
    // Detached, so that the audit context of the request does not apply to the job.
    this.jobs.onAdded = () => {
      detached(() => {
        this.look();
      });
    };
    this.timer = setInterval(
      () => {
        this.look();
      },
      this.settings.servesApi ? EVERY : EVERY_OF_OTHERS,
    ).unref();
    this.look();
  }

  /** A running job stops after its batch, and the next process resumes it. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.crashTimer);
    this.jobs.onAdded = undefined;
    this.stopping.abort();
    await this.running;
  }

  /** Looks for waiting jobs. A request during a run starts another run after it. */
  private look(): void {
    if (this.stopping.signal.aborted) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.work()
      .catch((error: unknown) => {
        this.logger.warn(`cannot read waiting jobs: ${String(error)}`);
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
    this.logger.error(`the job process ended with ${crash}`);
    this.crashTimer = setTimeout(() => {
      this.look();
    }, AFTER_CRASH).unref();
    await this.jobs.recordCrash(crash);
  }
}
