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
import { errorText } from '../api/errors/error-text';
import { type ApiRequest } from '../api/http/request-context';
import { logRefusedConnections } from '../api/http/servers';
import { flushLogger } from '../config/logger';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { type EmbeddedServer } from '../database/embedded/embedded';
import { migrateUp } from '../database/migrate';
import { PicturesService } from '../images/pictures.service';
import { Metrics } from '../metrics/metrics';
import { metricsServer } from '../metrics/metrics.server';
import { SampleService } from '../sample/sample.service';
import { parentChannel } from '../workers/worker';
import { type Certificate } from './certificate';
import { reportMetrics, shareMetrics, createHandOverWait } from './cluster/worker-side';
import { FROM_WORKER } from './cluster/worker-messages';
import { complain } from './complain';
import { Drain } from './drain';
import { deleteForeignChanges } from './foreign-changes';
import { IdleMemory } from './idle-memory';
import { listen } from './listen';
import { openDatabase, type OpenDatabase } from './open-database';
import { makeApp } from './setup';
import { aborted, raceAbort } from './stop-signals';
import { followCertificate } from './tls';
import { welcome } from './welcome';

/** Milliseconds for closing the application; jobs stop within 15 seconds. */
const CLOSE_MS = 16_000;
/** The same after requests were aborted. */
const CUT_OFF_MS = 1000;

/** A running service. */
export interface Running {
  readonly app: NestExpressApplication;
  readonly database: OpenDatabase;
  readonly drain: Drain;
  readonly logger: Logger;
  /** The metrics server, if METRICS_PORT is set. */
  readonly metrics: Server | undefined;
  readonly memory: IdleMemory;
}

/** What the process has opened before it loads the service. */
export interface Prepared {
  readonly logger: Logger;
  readonly tls: Certificate | undefined;
  /** The embedded server, which may still be starting; undefined with `DATABASE_URL`. */
  readonly embedded: Promise<EmbeddedServer> | undefined;
}

/**
 * Starts the service, and prints its address.
 * @throws StopRequested when `signal` is aborted meanwhile; then nothing keeps running
 */
export async function startService(
  settings: Settings,
  { logger, tls, embedded }: Prepared,
  signal: AbortSignal,
): Promise<Running> {
  const database = await openDatabase(settings, { embedded, signal });
  let making: Promise<NestExpressApplication> | undefined;
  const serveOn = async (): Promise<Running> => {
    signal.throwIfAborted();
    await migrateUp(database.direct);
    await deleteForeignChanges(database.direct);
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
    const pictures = app.get(PicturesService, { strict: false });
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
export async function stopService(
  running: Running,
  urgent: AbortSignal,
  retires: boolean,
): Promise<void> {
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
