import { once } from 'node:events';
import { constants } from 'node:os';

/** Signals that stop the process: from a supervisor, Ctrl-C, or a closed terminal. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Signals within this time (ms) of the first count as one: Ctrl-C reaches every process of a
 * terminal, and npm forwards it to its child again.
 */
const SAME_REQUEST_MS = 1_000;

/**
 * Milliseconds for closing after a second signal during a start or a command: enough to stop the
 * embedded server, which nothing else would stop, unless it does not respond.
 */
export const URGENT_MS = 1_000;

/** Thrown by work that was abandoned because the process stops. */
export class StopRequested extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
  }

  /** The exit status that shells report for a process ended by a signal. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/** Listens for stop signals, from construction on. */
export class StopSignals {
  private readonly controller = new AbortController();
  private requestedAt = 0;

  /**
   * @param onRepeat called for every further signal, such as a second Ctrl-C
   * @param signals which signals stop the process
   */
  constructor(
    private readonly onRepeat: () => void = () => undefined,
    private readonly signals: readonly NodeJS.Signals[] = SIGNALS,
  ) {
    for (const signal of signals) process.on(signal, this.handle);
  }

  /** Aborted by the first signal, with {@link StopRequested} as its reason. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restores the default action of the signals. */
  close(): void {
    for (const signal of this.signals) process.off(signal, this.handle);
  }

  /** Handles a signal; also for requests to stop that arrive in another way. */
  readonly handle = (signal: NodeJS.Signals): void => {
    if (!this.signal.aborted) {
      this.requestedAt = performance.now();
      this.controller.abort(new StopRequested(signal));
    } else if (performance.now() - this.requestedAt > SAME_REQUEST_MS) {
      this.onRepeat();
    }
  };
}

/** Waits until a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * The result of work, unless the signal is aborted first.
 *
 * @throws the reason of the signal; errors of the work
 */
export function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = aborted(signal).then((): never => {
    throw signal.reason;
  });
  return Promise.race([work, ended]);
}
