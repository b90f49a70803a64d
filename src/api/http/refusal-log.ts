import { type Logger } from 'pino';

/** Milliseconds between two log lines. */
const LOG_MS = 60_000;

/** Counts refusals, and reports their number at most once a minute. */
export class RefusalLog {
  private refused = 0;
  private loggedAt = -Infinity;

  /** @param report writes a log line about the refusals since the last one */
  constructor(private readonly report: (refused: number) => void) {}

  count(): void {
    this.refused += 1;
    const now = performance.now();
    if (now - this.loggedAt < LOG_MS) return;
    this.report(this.refused);
    this.loggedAt = now;
    this.refused = 0;
  }
}

/** Logs that connections were closed before the service has taken them. */
export const crowdedConnectionLog = (logger: Logger): RefusalLog =>
  new RefusalLog((refused) => {
    logger.warn(
      { refused },
      'connections closed: too many connections of their addresses wait to be accepted',
    );
  });
