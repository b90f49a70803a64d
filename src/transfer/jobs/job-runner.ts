import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { apart } from '../../database/database';
import { JobsService } from './jobs.service';

/** How often a server looks for what another process left, in milliseconds. */
const EVERY = 30_000;

/** Lets a server do jobs: at its start, when one is asked for, and now and then. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobRunner.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;

  constructor(private readonly jobs: JobsService) {}

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
    this.running = this.jobs
      .runWaiting(this.stopping.signal)
      .then(() => undefined)
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
}
