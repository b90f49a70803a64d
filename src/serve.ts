import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { Drain } from './app.drain';
import { makeApp, openDatabase, type OpenDatabase } from './app.setup';
import { flushLogger, makeLogger } from './config/logger';
import { loadSettings, Settings } from './config/settings';
import { migrateUp } from './database/migrate';
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
}

/** A port that is free now: answers name themselves by it, so it must be known before they do. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function start(settings: Settings): Promise<Running> {
  if (settings.PORT === 0) settings.PORT = await freePort();
  const logger = makeLogger(settings);
  const database = await openDatabase(settings);
  try {
    await migrateUp(database.source);
    const drain = new Drain();
    const app = await makeApp(settings, database.source, logger, { before: drain.middleware });
    const sample = app.get(SampleService);
    if (database.embedded) await sample.loadWhenEmpty();
    drain.watch(app.getHttpServer());
    await listen(app, settings);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const token = database.embedded ? await sample.issueToken() : undefined;
    process.stdout.write(welcome(settings, port, token));
    return { app, database, drain, logger };
  } catch (error) {
    await database.close();
    await flushLogger(logger);
    throw error;
  }
}

async function listen(app: NestExpressApplication, settings: Settings): Promise<void> {
  try {
    await (settings.HOST === ''
      ? app.listen(settings.PORT)
      : app.listen(settings.PORT, settings.HOST));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(`Port ${settings.PORT} is in use: set PORT to another one.`, {
        cause: error,
      });
    }
    throw new Error(`Cannot listen on port ${settings.PORT}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function stop({ app, database, drain, logger }: Running): Promise<void> {
  const seconds = app.get(Settings).DRAIN_SECONDS;
  const inTime = await drain.run(app.getHttpServer(), seconds);
  if (!inTime) logger.warn('requests were cut off: they took longer than DRAIN_SECONDS');
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
    // A second signal means now.
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
