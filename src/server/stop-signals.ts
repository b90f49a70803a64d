import { once } from 'node:events';
import { constants } from 'node:os';

/** What asks a process to stop: a supervisor, Ctrl-C, a terminal that is closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Signals within this time (ms) of the first are the same request: Ctrl-C reaches every process of
 * a terminal, and npm forwards it to its child once more.
 */
const SAME_REQUEST_MS = 1_000;

/** Thrown by work that was given up because the process was asked to stop. */
export class StopRequested extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
  }

  /** The status that shells report for a process that a signal ended. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}

/** Listens for the signals that ask this process to stop, from construction on. */
export class StopSignals {
  private readonly controller = new AbortController();
  private askedAt = 0;

  /** @param onRepeat called for every further request, such as Ctrl-C pressed again */
  constructor(private readonly onRepeat: () => void = () => undefined) {
    for (const signal of SIGNALS) process.on(signal, this.handle);
  }

  /** Aborted by the first signal, with {@link StopRequested} as its reason. */
  get asked(): AbortSignal {
    return this.controller.signal;
  }

  /** Gives the signals back their default action. */
  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.handle);
  }

  private readonly handle = (signal: NodeJS.Signals): void => {
    if (!this.asked.aborted) {
      this.askedAt = performance.now();
      this.controller.abort(new StopRequested(signal));
    } else if (performance.now() - this.askedAt > SAME_REQUEST_MS) {
      this.onRepeat();
    }
  };
}

/** Waits until a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * The result of work, unless the signal is aborted before.
 *
 * @throws the reason of the signal; what the work throws
 */
export function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = aborted(signal).then((): never => {
    throw signal.reason;
  });
  return Promise.race([work, ended]);
}
