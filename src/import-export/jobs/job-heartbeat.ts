import { JobCancelled, JobInterrupted } from './job';
import { type JobTimes } from './job-times';

/** Callbacks and signals of the job that a heartbeat reports. */
export interface HeartbeatHooks {
  /** Stores the progress. @returns whether the cancellation of the job was requested */
  readonly saveProgress: () => Promise<boolean>;
  /** Stops the job when aborted; it can be resumed. */
  readonly interrupted?: AbortSignal | undefined;
  /** Closes the connections that the job's statements wait for. */
  readonly closeConnections: () => void;
}

/**
 * Reports a running job periodically, and stops it. It uses a timer, because a batch can take
 * long, for example to read an endless line. A statement can also take long, or never end if its
 * connection does not respond. Therefore its connection is closed after `stopMs`.
 */
export class JobHeartbeat {
  private readonly stopping = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private isBeating = false;
  /** By `performance.now()`. */
  private stoppedAt = Infinity;

  constructor(
    private readonly job: HeartbeatHooks,
    private readonly times: JobTimes,
  ) {
    this.timer = setInterval(() => void this.beat(), times.heartbeatMs);
  }

  /** Aborted with the reason when the job must end. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Stores the progress. @throws JobCancelled, JobInterrupted; errors of the database */
  async report(): Promise<void> {
    if (await this.job.saveProgress()) throw new JobCancelled();
    if (this.job.interrupted?.aborted === true) throw new JobInterrupted();
  }

  /** Why the job ended: an error of its work may be the consequence of stopping it. */
  reasonOf(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    // Repeated: work that lost its connection may have got another one.
    if (performance.now() - this.stoppedAt >= this.times.stopMs) this.job.closeConnections();
    if (this.isBeating) return;
    this.isBeating = true;
    try {
      await this.report();
    } catch (error) {
      if (!this.signal.aborted) this.stoppedAt = performance.now();
      this.stopping.abort(error);
    } finally {
      this.isBeating = false;
    }
  }
}
