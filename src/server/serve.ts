import { makeLogger } from '../config/logger';
import { loadSettings, type Settings } from '../config/settings';
import { launchEmbedded } from '../database/embedded/launch';
import { hasSharpBinary, NO_SHARP_BINARY } from '../images/sharp-binaries';
import { exitUrgently, exitWithoutHanging } from '../process/exit-process';
import { limitHeapGrowth, SERVER_GROWTH_PERCENT } from '../process/heap-growth';
import { logUnhandledRejections } from '../process/unhandled-rejections';
import { parentChannel } from '../workers/worker';
import { readCertificate } from './certificate';
import { followParent } from './cluster/worker-side';
import { complain } from './complain';
import { freePort } from './listen';
import type * as ServiceModule from './service';
import { aborted, StopRequested, StopSignals, URGENT_MS } from './stop-signals';

/** Milliseconds after a second signal until the process ends, whatever it waits for. */
const URGENT_STOP_MS = 5000;

/** Interval of the timer that keeps the process alive. */
const ALIVE_MS = 60_000;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need a file extension
const loadService = () => require('./service') as typeof ServiceModule;

/**
 * Starts the service. Its modules take about as long to load as the embedded PostgreSQL takes to
 * start, so that both happen at the same time (except for the creation of a new database).
 * @throws StopRequested when `signal` is aborted meanwhile; then nothing keeps running
 */
async function start(settings: Settings, signal: AbortSignal): Promise<ServiceModule.Running> {
  if (settings.PORT === 0) settings.PORT = await freePort();
  const tls = readCertificate(settings);
  const logger = makeLogger(settings);
  logUnhandledRejections(logger);
  if (!hasSharpBinary()) logger.warn(NO_SHARP_BINARY);
  signal.throwIfAborted();
  const log = (message: string): void => {
    logger.warn(message);
  };
  const launched = settings.DATABASE_URL
    ? undefined
    : await launchEmbedded({ dataDir: settings.dataDir, log, signal });
  return loadService().startService(settings, { logger, tls, embedded: launched?.opened }, signal);
}

/**
 * Serves until SIGTERM, SIGHUP or Ctrl-C, then drains and exits with status 0. A second signal
 * aborts running requests and makes the status 1; the process ends about five seconds later, or one
 * second during the start. When the start fails, it prints the reason in one
 * line and exits with status 1. While operations on files hang, the process ends itself with SIGKILL
 * instead. A worker is stopped by its parent process, or by SIGTERM.
 */
export async function serve(): Promise<void> {
  // While it closes after a failed start, only timers without a reference may be left. Node would
  // then end the process with status 0, before the reason is printed.
  setInterval(() => undefined, ALIVE_MS);
  let running: ServiceModule.Running | undefined;
  const urgent = new AbortController();
  const hurry = (): void => {
    // A second signal ends the lame-duck phase; in any other phase it means an immediate stop.
    if (running?.drain.hurry()) return;
    urgent.abort();
    // The end of the process must not depend on a database that does not respond.
    setTimeout(() => void exitUrgently(1), running ? URGENT_STOP_MS : URGENT_MS);
  };
  const { signal, retires } = parentChannel()
    ? followParent(hurry)
    : { signal: new StopSignals(hurry).signal, retires: () => false };
  let status = 0;
  try {
    running = await start(loadSettings(), signal);
    // Not before: the heap grows during the start, and more collections would make it longer.
    limitHeapGrowth(SERVER_GROWTH_PERCENT);
    await aborted(signal);
    const reason: unknown = signal.reason;
    running.logger.info(`stopping: ${reason instanceof Error ? reason.message : String(reason)}`);
    await loadService().stopService(running, urgent.signal, retires());
  } catch (error) {
    if (!(error instanceof StopRequested)) {
      complain(error);
      status = 1;
    }
  }
  await exitWithoutHanging(urgent.signal.aborted ? 1 : status);
}
