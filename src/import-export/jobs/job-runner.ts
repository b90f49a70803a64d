import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { errorText } from '../../api/errors/error-text';
import { Settings } from '../../config/settings';
import { Notifications } from '../../database/notifications';
import { JOBS_CHANNEL } from './job-connection';
import { JobProcess } from './job-process';
import { JobsService } from './jobs.service';

/** Milliseconds between polls, for jobs of processes that ended without a notification. */
const POLL_INTERVAL_MS = 30_000;

/**
 * Milliseconds before a job is resumed after its process crashed, and their maximum: the delay
 * doubles with each crash.
 */
const CRASH_RESTART_DELAY_MS = 1000;
const MAX_CRASH_RESTART_DELAY_MS = 60_000;

/**
 * Starts the process that runs a server's jobs: at startup, when the database notifies it, and
 * periodically. `JobsService.runAndResumeJobs` runs them.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobRunner.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Set while the restart after a crash is delayed. */
  private crashTimer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private mustPollAgain = false;
  /** Milliseconds before the restart after the next crash. */
  private crashDelayMs = CRASH_RESTART_DELAY_MS;

  constructor(
    private readonly jobs: JobsService,
    private readonly process: JobProcess,
    private readonly settings: Settings,
    private readonly notifications: Notifications,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsJobs) return;
    this.notifications.on(JOBS_CHANNEL, () => {
      this.pollForJobs();
    });
    this.timer = setInterval(() => {
      this.pollForJobs();
    }, POLL_INTERVAL_MS).unref();
    this.pollForJobs();
  }

  /** A running job stops after its batch, and the next process resumes it. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.crashTimer);
    this.stopping.abort();
    await this.running;
  }

  /** Polls for waiting jobs. A call during a run starts another run after it. */
  private pollForJobs(): void {
    if (this.stopping.signal.aborted || this.crashTimer) return;
    if (this.running) {
      this.mustPollAgain = true;
      return;
    }
    this.running = this.work()
      .catch((error: unknown) => {
        this.logger.warn(`cannot read waiting jobs: ${errorText(error)}`);
      })
      .finally(() => {
        this.running = undefined;
        const { mustPollAgain: again } = this;
        this.mustPollAgain = false;
        if (again) this.pollForJobs();
      });
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    if (this.settings.JOB_MEMORY_MB === 0) {
      await this.jobs.runAndResumeJobs(signal);
      return;
    }
    const start = await this.jobs.acquireStartLock();
    if (!start) return;
    // A crash must not notify other servers: the next attempt waits for the delay.
    let notify = false;
    let crash: string | undefined;
    try {
      crash = signal.aborted ? undefined : await this.process.run(signal);
      notify = crash === undefined;
    } finally {
      await start.release({ notify });
    }
    if (crash === undefined) {
      this.crashDelayMs = CRASH_RESTART_DELAY_MS;
      return;
    }
    this.logger.error(`the job process ended with ${crash}`);
    this.crashTimer = setTimeout(() => {
      this.crashTimer = undefined;
      this.pollForJobs();
    }, this.crashDelayMs).unref();
    this.crashDelayMs = Math.min(2 * this.crashDelayMs, MAX_CRASH_RESTART_DELAY_MS);
    await this.jobs.recordCrash(crash);
  }
}
