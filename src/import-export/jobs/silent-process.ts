import { type ChildProcess } from 'node:child_process';

/** Intervals without a message after which a process counts as frozen. */
const MAX_SILENT_INTERVALS = 15;

/** Milliseconds for the first message, which comes when the process has loaded its modules. */
const START_MS = 300_000;

/** Kills a child process that sends no messages, because it is frozen. */
export class SilentProcessWatch {
  /** Whether it has killed the process. */
  hasKilled = false;
  private readonly timer: NodeJS.Timeout;
  private silentIntervals: number;

  /**
   * @param child a process that calls {@link reportAlive} with the same interval
   * @param intervalMs milliseconds
   */
  constructor(
    private readonly child: ChildProcess,
    intervalMs: number,
  ) {
    this.silentIntervals = -START_MS / intervalMs;
    child.on('message', () => {
      this.silentIntervals = 0;
    });
    // Its work is done.
    child.once('disconnect', () => {
      this.end();
    });
    // It counts intervals instead of time: if both processes were frozen, the child gets time to
    // report.
    this.timer = setInterval(() => {
      this.onInterval();
    }, intervalMs);
  }

  end(): void {
    clearInterval(this.timer);
  }

  private onInterval(): void {
    this.silentIntervals += 1;
    if (this.silentIntervals <= MAX_SILENT_INTERVALS) return;
    this.hasKilled = this.child.kill('SIGKILL');
  }
}

/**
 * Sends messages to the parent process, now and periodically, from the event loop.
 * @param intervalMs milliseconds
 */
export function reportAlive(intervalMs: number): void {
  const report = (): void => {
    // The parent process may end at any time.
    if (process.connected) process.send?.('alive', () => undefined);
  };
  report();
  setInterval(report, intervalMs).unref();
}
