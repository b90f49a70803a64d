import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { type ApiAdapter } from './api/adapter';
import { logRefusedConnections } from './api/servers';
import { Drain } from './app.drain';
import { freePort, listen } from './app.listen';
import { makeApp, openDatabase, type OpenDatabase } from './app.setup';
import { followCertificate, readCertificate } from './app.tls';
import { flushLogger, makeLogger } from './config/logger';
import { loadSettings, Settings } from './config/settings';
import { migrateUp } from './database/migrate';
import { Metrics } from './metrics/metrics';
import { metricsServer } from './metrics/metrics.server';
import { SampleService } from './sample/sample.service';
import { welcome } from './welcome';

/** Milliseconds that the database gets to close after requests were cut off. */
const CUT_OFF_MS = 1000;

/** A service that is up. */
interface Running {
  readonly app: NestExpressApplication;
  readonly database: OpenDatabase;
  readonly drain: Drain;
  readonly logger: Logger;
  /** Where metrics are read, when they are. */
  readonly metrics: Server | undefined;
}

async function start(settings: Settings): Promise<Running> {
  if (settings.PORT === 0) settings.PORT = await freePort();
  const tls = readCertificate(settings);
  const logger = makeLogger(settings);
  const database = await openDatabase(settings);
  try {
    await migrateUp(database.source);
    const drain = new Drain();
    const app = await makeApp(settings, database.source, logger, {
      before: drain.middleware,
      tls,
    });
    const sample = app.get(SampleService);
    if (database.embedded) await sample.loadWhenEmpty();
    const plainPort = await listenOn(app, settings, drain, logger);
    const metrics = await listenForMetrics(app, settings);
    const server: Server = app.getHttpServer();
    if (server instanceof TlsServer) followCertificate(server, settings, logger);
    const token = database.embedded ? await sample.issueToken() : undefined;
    process.stdout.write(welcome(settings, { plainPort, token }));
    return { app, database, drain, logger, metrics };
  } catch (error) {
    await database.close();
    await flushLogger(logger);
    throw error;
  }
}

/** Listens on PORT, and on HTTP_PORT besides. @returns where plain HTTP is served besides */
async function listenOn(
  app: NestExpressApplication,
  settings: Settings,
  drain: Drain,
  logger: Logger,
): Promise<number | undefined> {
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = settings.KEEP_ALIVE_SECONDS * 1000;
  drain.watch(server);
  logRefusedConnections(server, logger);
  await listen(server, settings.PORT, settings.HOST, 'PORT');
  if (settings.HTTP_PORT === undefined) return undefined;
  const plain = (app.getHttpAdapter() as ApiAdapter).plainServer();
  plain.keepAliveTimeout = settings.KEEP_ALIVE_SECONDS * 1000;
  drain.watch(plain);
  logRefusedConnections(plain, logger);
  await listen(plain, settings.HTTP_PORT, settings.HOST, 'HTTP_PORT');
  return (plain.address() as AddressInfo).port;
}

/** Serves metrics on METRICS_PORT, when that is set. */
async function listenForMetrics(
  app: NestExpressApplication,
  settings: Settings,
): Promise<Server | undefined> {
  if (settings.METRICS_PORT === undefined) return undefined;
  const server = metricsServer(app.get(Metrics, { strict: false }));
  await listen(server, settings.METRICS_PORT, settings.METRICS_HOST, 'METRICS_PORT');
  return server;
}

async function stop({ app, database, drain, logger, metrics }: Running): Promise<void> {
  const { lameDuckSeconds, DRAIN_SECONDS } = app.get(Settings);
  const inTime = await drain.run({ lameDuck: lameDuckSeconds, drain: DRAIN_SECONDS });
  if (!inTime) logger.warn('requests were cut off: they took longer than DRAIN_SECONDS');
  // To the end, so that the drain is seen too.
  metrics?.close();
  metrics?.closeAllConnections();
  // What was cut off may still hold a connection: it is not waited for.
  const closing = app.close().then(() => database.close());
  await (inTime ? closing : Promise.race([closing, setTimeout(CUT_OFF_MS)]));
  await flushLogger(logger);
}

/** One line for people; the stack is for nobody who has only a setting wrong. */
function complain(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`commonplace: ${text}\n`);
}

/**
 * Serves until SIGTERM or Ctrl-C, then drains and ends with status 0. What keeps it from starting
 * is said in one line, with status 1.
 */
export async function serve(): Promise<void> {
  let running: Running | undefined;
  let asked = false;
  const end = (): void => {
    // A second signal ends the lame-duck phase; any other means now.
    if (asked && running?.drain.hurry()) return;
    if (asked) process.exit(1);
    asked = true;
    // While it starts, it ends as soon as it has started: the database must not be left behind.
    if (running) stopAndExit(running);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    running = await start(loadSettings());
  } catch (error) {
    complain(error);
    process.exit(1);
  }
  if (asked) stopAndExit(running);
}

function stopAndExit(running: Running): void {
  stop(running).then(
    () => process.exit(0),
    (error: unknown) => {
      complain(error);
      process.exit(1);
    },
  );
}
