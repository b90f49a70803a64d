import cluster from 'node:cluster';
import { closeSync, openSync } from 'node:fs';
import { type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, listen } from '../listen';
import { aborted, StopRequested, StopSignals, URGENT_MS } from '../stop-signals';
import { flushLogger, makeLogger } from '../../config/logger';
import { type Settings } from '../../config/settings';
import { logUnhandledRejections } from '../../process/unhandled-rejections';
import { handleWriteMarkRequests } from '../../consistency/parent-write-marks';
import { MemoryWriteMarks } from '../../consistency/write-marks';
import { openEmbedded, type EmbeddedServer } from '../../database/embedded/embedded';
import { MemoryCounters } from '../../limits/counters';
import { handleCounterRequests } from '../../limits/parent-counters';
import { metricsServer } from '../../metrics/metrics.server';
import { crowdedConnectionLog } from '../../api/http/refusal-log';
import { paceAccepting } from './accept-pace';
import { ClusterMetrics } from './cluster-metrics';
import { FROM_WORKER } from './worker-messages';
import { WorkerPool } from './worker-pool';
import { WorkerPorts } from './worker-ports';

/** Whether the terminal that the process was started from is closed. */
function terminalIsGone(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}

/**
 * Runs the workers of a server (`WORKERS`). The parent process accepts connections and hands them
 * to the workers, counts rate limits, remembers writes, serves the metrics and holds the embedded
 * PostgreSQL. It loads no other part of the service, so that it does not have to be restarted with
 * the workers.
 *
 * SIGHUP restarts the workers in turn; SIGTERM and Ctrl-C stop them.
 *
 * @returns the exit status
 * @throws Error with a one-sentence message when the start fails
 */
export async function serveWorkers(settings: Settings): Promise<number> {
  const urgent = new AbortController();
  const signals = new StopSignals(() => {
    urgent.abort();
    workers.hurry();
  }, ['SIGTERM', 'SIGINT']);
  const onTerminal = process.stdin.isTTY;
  process.on('SIGHUP', (signal) => {
    if (process.platform === 'win32' || (onTerminal && terminalIsGone())) signals.handle(signal);
    else void workers.restart();
  });

  const logger = makeLogger(settings);
  logUnhandledRejections(logger);
  const port = settings.PORT === 0 ? await freePort() : settings.PORT;
  const marks = new MemoryWriteMarks(settings.REPLICA_MAX_LAG_MS);
  const counters = new MemoryCounters(settings.COUNTERS_IN_MEMORY);
  const crowded = crowdedConnectionLog(logger);
  const count = settings.workerCount ?? 1;
  const ports = new WorkerPorts({
    workerCount: count,
    // Behind proxies, all connections come from a few addresses, and each may belong to any client.
    isFair: !settings.TRUSTED_PROXIES,
    onDrop: () => {
      crowded.count();
    },
  });
  const endPacing = settings.TRUSTED_PROXIES ? paceAccepting(ports) : undefined;
  // Connections are handed over by the parent process: with a shared socket the kernel would reset
  // connections that wait for a worker which stops.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const workers: WorkerPool = new WorkerPool({
    count,
    env: { PORT: String(port) },
    drainMs: 1000 * (settings.lameDuckSeconds + settings.DRAIN_SECONDS),
    logger,
    prepare: ({ channel }) => {
      handleCounterRequests(channel, counters);
      handleWriteMarkRequests(channel, marks);
      // The others continue to serve when only one worker stops.
      channel.handle(FROM_WORKER.beforeClose, () =>
        workers.isStopping ? ports.close().then(() => null) : null,
      );
    },
    afterEnd: (worker) => {
      metrics.keep(worker);
    },
  });
  const metrics: ClusterMetrics = new ClusterMetrics(workers, counters);

  let embedded: EmbeddedServer | undefined;
  let server: Server | undefined;
  try {
    embedded = settings.DATABASE_URL
      ? undefined
      : await openEmbedded({
          dataDir: settings.dataDir,
          signal: signals.signal,
          log: (message) => {
            logger.warn(message);
          },
        });
    if (settings.METRICS_PORT !== undefined) {
      server = metricsServer(metrics);
      await listen(server, settings.METRICS_PORT, settings.METRICS_HOST, 'METRICS_PORT');
    }
    const started = workers.start();
    // The reason is printed by the worker.
    const text = await Promise.race([started.catch(() => undefined), aborted(signals.signal)]);
    if (text === undefined && !signals.signal.aborted) return 1;
    if (text !== undefined) process.stdout.write(text);
    await aborted(signals.signal);
    return (await workers.stop()) && !urgent.signal.aborted ? 0 : 1;
  } catch (error) {
    if (error instanceof StopRequested) return urgent.signal.aborted ? 1 : 0;
    throw error;
  } finally {
    await workers.stop();
    endPacing?.();
    ports.unsubscribe();
    server?.close();
    server?.closeAllConnections();
    // A second signal does not wait for a server that does not respond.
    const late = aborted(urgent.signal).then(() => pause(URGENT_MS));
    await Promise.race([embedded?.release(), late]);
    await flushLogger(logger);
  }
}
