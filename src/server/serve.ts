import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler } from 'express';
import { type Logger } from 'pino';
import { FirstAdministratorService } from '../admin/first-administrator.service';
import { type ApiAdapter } from '../api/http/adapter';
import { writeError } from '../api/errors/error-body';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { logRefusedConnections } from '../api/http/servers';
import { Drain } from './drain';
import { freePort, listen } from './listen';
import { openDatabase, type OpenDatabase } from './open-database';
import { makeApp } from './setup';
import { followCertificate, readCertificate } from './tls';
import { flushLogger, makeLogger } from '../config/logger';
import { errorText } from '../api/errors/error-text';
import { exitProcess } from '../process/exit-process';
import { logUnhandledRejections } from '../process/unhandled-rejections';
import { loadSettings, Settings } from '../config/settings';
import { Database } from '../database/database';
import { migrateUp } from '../database/migrate';
import { PictureStorage } from '../images/picture-storage';
import { hasSharpBinary, NO_SHARP_BINARY } from '../images/sharp-binaries';
import { IdleMemory } from './idle-memory';
import { Metrics } from '../metrics/metrics';
import { metricsServer } from '../metrics/metrics.server';
import { parentChannel } from '../workers/worker';
import { FROM_WORKER } from './cluster/worker-messages';
import {
  followParent,
  reportMetrics,
  shareMetrics,
  createHandOverWait,
} from './cluster/worker-side';
import { SampleService } from '../sample/sample.service';
import { aborted, raceAbort, StopRequested, StopSignals, URGENT_MS } from './stop-signals';
import { welcome } from './welcome';

/** Milliseconds for closing the application; jobs stop within 15 seconds. */
const CLOSE_MS = 16_000;
/** The same after requests were aborted. */
const CUT_OFF_MS = 1000;

/** Milliseconds after a second signal until the process ends, whatever it waits for. */
const URGENT_STOP_MS = 5000;

/** Interval of the timer that keeps the process alive. */
const ALIVE_MS = 60_000;

/** A running service. */
interface Running {
  readonly app: NestExpressApplication;
  readonly database: OpenDatabase;
  readonly drain: Drain;
  readonly logger: Logger;
  /** The metrics server, if METRICS_PORT is set. */
  readonly metrics: Server | undefined;
  readonly memory: IdleMemory;
}

/** @throws StopRequested when `signal` is aborted meanwhile; then nothing keeps running */
async function start(settings: Settings, signal: AbortSignal): Promise<Running> {
  if (settings.PORT === 0) settings.PORT = await freePort();
  const tls = readCertificate(settings);
  const logger = makeLogger(settings);
  logUnhandledRejections(logger);
  if (!hasSharpBinary()) logger.warn(NO_SHARP_BINARY);
  signal.throwIfAborted();
  const tell = (message: string): void => {
    logger.warn(message);
  };
  const database = await openDatabase(settings, { tell, signal });
  let making: Promise<NestExpressApplication> | undefined;
  const serveOn = async (): Promise<Running> => {
    signal.throwIfAborted();
    await migrateUp(database.direct);
    signal.throwIfAborted();
    const drain = new Drain(undefined, createHandOverWait());
    making = makeApp(settings, database.source, logger, {
      before: settings.servesApi ? drain.middleware : readinessProbeOnly(drain.middleware),
      passesAll: () => settings.servesApi && drain.isServing,
      direct: database.direct,
      tls,
    });
    const app = await making;
    await app.get(Database, { strict: false }).checkStandby();
    const pictures = app.get(PictureStorage, { strict: false });
    drain.beforeAbort = () => {
      pictures.rejectPending();
    };
    const sample = app.get(SampleService);
    const wantsSample = settings.wantsSample(database.embedded);
    signal.throwIfAborted();
    if (wantsSample) await sample.loadWhenEmpty();
    signal.throwIfAborted();
    const plainPort = await listenOn(app, settings, drain, logger);
    const metrics = await listenForMetrics(app, settings);
    const server: Server = app.getHttpServer();
    if (tls && server instanceof TlsServer) {
      const served = followCertificate(server, tls, settings, logger);
      if (settings.METRICS_PORT !== undefined)
        app.get(Metrics, { strict: false }).observeCertificate(served);
    }
    // Standard output ends in logs, so in production it must not contain a valid token.
    const printsToken = wantsSample && settings.NODE_ENV !== 'production';
    const channel = parentChannel();
    const isFirst = !channel || (await channel.request<boolean>(FROM_WORKER.isFirst));
    // The service serves already, so that it must not end if these fail.
    const ifPossible = <T>(work: Promise<T>): Promise<T | undefined> =>
      work.catch((error: unknown) => {
        logger.warn(`the message at start is incomplete: ${errorText(error)}`);
        return undefined;
      });
    const token = printsToken && isFirst ? await ifPossible(sample.issueToken()) : undefined;
    // Nor the address that makes an administrator: there a command prints it.
    const first = app.get(FirstAdministratorService, { strict: false });
    const isProduction = settings.NODE_ENV === 'production';
    const setup = isFirst && !isProduction ? await ifPossible(first.createAddress()) : undefined;
    const hasAdministrator =
      !(isFirst && isProduction) || (await ifPossible(first.hasAdministrator())) !== false;
    signal.throwIfAborted();
    const text = isFirst ? welcome(settings, { plainPort, token, setup, hasAdministrator }) : '';
    if (channel) await channel.request(FROM_WORKER.ready, text);
    else process.stdout.write(text);
    return { app, database, drain, logger, metrics, memory: new IdleMemory() };
  };
  try {
    return await raceAbort(signal, serveOn());
  } catch (error) {
    // What a signal interrupted may still wait for a database that does not respond.
    const patience = signal.aborted ? CUT_OFF_MS : CLOSE_MS;
    const closed = making?.then(
      (app) => app.close().catch(complain),
      () => undefined,
    );
    await Promise.race([closed, pause(patience)]);
    await database.close();
    await flushLogger(logger);
    throw error;
  }
}

/** Refuses all requests but probes with 1001, in a process that only runs jobs (`ROLE=jobs`). */
const readinessProbeOnly =
  (next: RequestHandler): RequestHandler =>
  (request, response, done) => {
    const { context } = request as ApiRequest;
    if (context.path === '/readyz') void next(request, response, done);
    else writeError(context, response, new ApiError('uriNotFound'));
  };

/** Listens on PORT, and on HTTP_PORT if set. @returns the additional port for plain HTTP */
async function listenOn(
  app: NestExpressApplication,
  settings: Settings,
  drain: Drain,
  logger: Logger,
): Promise<number | undefined> {
  const server: Server = app.getHttpServer();
  drain.watch(server);
  logRefusedConnections(server, logger);
  await listen(server, settings.PORT, settings.HOST, 'PORT');
  if (settings.HTTP_PORT === undefined) return undefined;
  const plain = (app.getHttpAdapter() as ApiAdapter).plainServer();
  drain.watch(plain);
  logRefusedConnections(plain, logger);
  await listen(plain, settings.HTTP_PORT, settings.HOST, 'HTTP_PORT');
  return (plain.address() as AddressInfo).port;
}

/** Serves metrics on METRICS_PORT, if set; those of a worker are served by the parent process. */
async function listenForMetrics(
  app: NestExpressApplication,
  settings: Settings,
): Promise<Server | undefined> {
  if (settings.METRICS_PORT === undefined) return undefined;
  const metrics = app.get(Metrics, { strict: false });
  if (shareMetrics(metrics)) return undefined;
  const server = metricsServer(metrics);
  await listen(server, settings.METRICS_PORT, settings.METRICS_HOST, 'METRICS_PORT');
  return server;
}

/**
 * Drains, closes the application and then the database. It stops the embedded server even when
 * other steps are late, because nothing else would stop it.
 *
 * @param retires whether other processes serve on the same port
 */
async function stop(running: Running, urgent: AbortSignal, retires: boolean): Promise<void> {
  const { app, database, drain, logger, metrics, memory } = running;
  const { lameDuckSeconds, DRAIN_SECONDS } = app.get(Settings);
  const hurried = aborted(urgent);
  const drained = retires
    ? drain.retire(DRAIN_SECONDS)
    : drain.run({ lameDuck: lameDuckSeconds, drain: DRAIN_SECONDS });
  const inTime = await Promise.race([drained, hurried.then(() => false)]);
  if (!inTime) {
    drain.abort();
    const reason = urgent.aborted
      ? 'second signal received'
      : 'they took longer than DRAIN_SECONDS';
    logger.warn(`aborted running requests: ${reason}`);
  }
  // Metrics stay available during the drain.
  if (app.get(Settings).METRICS_PORT !== undefined) {
    await reportMetrics(app.get(Metrics, { strict: false }));
  }
  memory.stop();
  metrics?.close();
  metrics?.closeAllConnections();
  // Aborted requests may still use a connection; the process does not wait for them.
  const patience = inTime ? CLOSE_MS : CUT_OFF_MS;
  const closed = app.close().catch(complain);
  await Promise.race([closed, pause(patience), ...(inTime ? [hurried] : [])]);
  await database.close();
  await flushLogger(logger);
}

/** Prints an error as one line without a stack, because most of these are wrong settings. */
function complain(error: unknown): void {
  process.stderr.write(`commonplace: ${errorText(error)}\n`);
}

/**
 * Serves until SIGTERM, SIGHUP or Ctrl-C, then drains and exits with status 0. A second signal
 * aborts running requests and makes the status 1; the process ends within five seconds, or within
 * one during the start. When the start fails, it prints the reason in one
 * line and exits with status 1. A worker is stopped by its parent process, or by SIGTERM.
 */
export async function serve(): Promise<void> {
  // While it closes after a failed start, only timers without a reference may be left. Node would
  // then end the process with status 0, before the reason is printed.
  setInterval(() => undefined, ALIVE_MS);
  let running: Running | undefined;
  const urgent = new AbortController();
  const hurry = (): void => {
    // A second signal ends the lame-duck phase; in any other phase it means an immediate stop.
    if (running?.drain.hurry()) return;
    urgent.abort();
    // The end of the process must not depend on a database that does not respond.
    setTimeout(() => exitProcess(1), running ? URGENT_STOP_MS : URGENT_MS);
  };
  const { signal, retires } = parentChannel()
    ? followParent(hurry)
    : { signal: new StopSignals(hurry).signal, retires: () => false };
  let status = 0;
  try {
    running = await start(loadSettings(), signal);
    await aborted(signal);
    const reason: unknown = signal.reason;
    running.logger.info(`stopping: ${reason instanceof Error ? reason.message : String(reason)}`);
    await stop(running, urgent.signal, retires());
  } catch (error) {
    if (!(error instanceof StopRequested)) {
      complain(error);
      status = 1;
    }
  }
  exitProcess(urgent.signal.aborted ? 1 : status);
}
