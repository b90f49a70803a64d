import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { Drain } from './app.drain';
import { makeApp, openDatabase, type OpenDatabase } from './app.setup';
import { flushLogger, makeLogger } from './config/logger';
import { loadSettings, SettingsError, type Settings } from './config/settings';
import { migrateUp } from './database/migrate';
import { SampleService } from './sample/sample.service';
import { welcome } from './welcome';

/** A service that is up. */
interface Running {
  readonly app: NestExpressApplication;
  readonly database: OpenDatabase;
  readonly drain: Drain;
  readonly logger: Logger;
}

async function start(settings: Settings): Promise<Running> {
  const logger = makeLogger(settings);
  const database = await openDatabase(settings);
  try {
    await migrateUp(database.source);
    const drain = new Drain();
    const app = await makeApp(settings, database.source, logger, { before: drain.middleware });
    const sample = app.get(SampleService);
    if (database.embedded) await sample.loadWhenEmpty();
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

async function stop({ app, database, drain, logger }: Running, seconds: number): Promise<void> {
  const inTime = await drain.run(app.getHttpServer(), seconds);
  if (!inTime) logger.warn('requests were cut off: they took longer than DRAIN_SECONDS');
  await app.close();
  await database.close();
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
  let settings: Settings;
  let running: Running;
  try {
    settings = loadSettings();
    running = await start(settings);
  } catch (error) {
    complain(error instanceof SettingsError ? new Error(error.message) : error);
    process.exitCode = 1;
    return;
  }
  let ending = false;
  const end = (): void => {
    // A second signal means now.
    if (ending) process.exit(1);
    ending = true;
    stop(running, settings.DRAIN_SECONDS).then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
