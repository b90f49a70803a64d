import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler } from 'express';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { ApiAdapter } from './api/adapter';
import { setUpApi } from './api/api.setup';
import { bindQuickly } from './api/quick-bind';
import { ENTITIES } from './app.entities';
import { AppModule } from './app.module';
import { type Certificate } from './app.tls';
import { NestLog } from './config/logger';
import { type Settings } from './config/settings';
import { makeDataSource } from './database/data-source';
import { openEmbedded } from './database/embedded';
import { Notifications } from './database/notifications';
import { setUpPages } from './pages/pages.setup';

/** A connected database, whoever runs it. */
export interface OpenDatabase {
  readonly source: DataSource;
  /** True for the embedded server. */
  readonly embedded: boolean;
  /**
   * Closes the connections, and stops the embedded server unless somebody else uses it. Connections
   * still in use after a second are not waited for.
   *
   * @throws Error when the embedded server does not stop
   */
  close(): Promise<void>;
}

/** Milliseconds that connections in use get to be given back. */
const CLOSE_MS = 1000;
const UNREF = { ref: false };

/**
 * Connects to `DATABASE_URL`, or to the embedded server, which is started when it is not up.
 *
 * @param tell told a sentence when the embedded server is gone, and when it is back
 * @throws Error in one sentence when the database cannot be reached
 */
export async function openDatabase(
  settings: Settings,
  tell?: (message: string) => void,
): Promise<OpenDatabase> {
  const embedded = settings.DATABASE_URL
    ? undefined
    : await openEmbedded({ dataDir: settings.dataDir, tell });
  const source = makeDataSource(settings, settings.DATABASE_URL ?? embedded?.url ?? '', ENTITIES);
  try {
    await source.initialize();
  } catch (error) {
    await embedded?.release();
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`The database cannot be reached: ${reason}`, { cause: error });
  }
  return {
    source,
    embedded: embedded !== undefined,
    close: async () => {
      const closed = source.isInitialized ? source.destroy() : Promise.resolve();
      await Promise.race([closed.catch(() => undefined), pause(CLOSE_MS, undefined, UNREF)]);
      await embedded?.release();
    },
  };
}

export interface AppOptions {
  /** Stands between the frame of a request and its route. */
  readonly before?: RequestHandler;
  /** Certificate and key, to serve HTTPS. */
  readonly tls?: Certificate;
  /** The module to serve; tests give their own around the same contract. */
  readonly root?: Type | DynamicModule;
}

/** The HTTP application, ready to listen: what the server and the tests share. */
export async function makeApp(
  settings: Settings,
  source: DataSource,
  logger: Logger,
  { before, tls, root = AppModule.with(settings, source) }: AppOptions = {},
): Promise<NestExpressApplication> {
  bindQuickly();
  const app = await NestFactory.create<NestExpressApplication>(
    root,
    new ApiAdapter(settings, tls),
    {
      bodyParser: false,
      logger: new NestLog(logger),
      abortOnError: false,
    },
  );
  setUpApi(app, logger);
  if (before) app.use(before);
  setUpPages(app);
  await app.init();
  // Writing the OpenAPI document needs no database, and has none.
  if (source.isInitialized) await app.get(Notifications, { strict: false }).start();
  return app;
}
