import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler } from 'express';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { ApiAdapter } from '../api/http/adapter';
import { setUpApi } from '../api/api.setup';
import { Overload } from '../api/http/overload';
import { bindQuickly } from '../api/http/quick-bind';
import { ENTITIES } from './entities';
import { AppModule } from '../app.module';
import { type Certificate } from './tls';
import { NestLog } from '../config/logger';
import { type Settings } from '../config/settings';
import { makeDataSource } from '../database/data-source';
import { makeDirectDataSource } from '../database/direct-database';
import { openEmbedded } from '../database/embedded/embedded';
import { Notifications } from '../database/notifications';
import { checkServer } from '../database/server-check';
import { TaskScheduler } from '../database/task-scheduler';
import { setUpPages } from '../pages/pages.setup';

/** A connected database, whoever runs it. */
export interface OpenDatabase {
  readonly source: DataSource;
  /** On connections that are sessions of PostgreSQL itself; the same where no pooler shares them. */
  readonly direct: DataSource;
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

const unreachable = (address: string, error: unknown): Error => {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new Error(`The database cannot be reached${address}: ${reason}`, { cause: error });
};

/**
 * Connects to `DATABASE_URL`, or to the embedded server, which is started when it is not up; and to
 * `DATABASE_DIRECT_URL`, when that is set.
 *
 * @param tell told a sentence when the embedded server is gone, and when it is back
 * @throws Error in one sentence when the database cannot be reached, or cannot be used
 */
export async function openDatabase(
  settings: Settings,
  tell?: (message: string) => void,
): Promise<OpenDatabase> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING } = settings;
  const embedded = DATABASE_URL
    ? undefined
    : await openEmbedded({ dataDir: settings.dataDir, tell });
  const url = DATABASE_URL ?? embedded?.url ?? '';
  const source = makeDataSource(settings, url, ENTITIES, DATABASE_POOLING);
  const direct =
    DATABASE_DIRECT_URL === undefined
      ? source
      : makeDirectDataSource(settings, DATABASE_DIRECT_URL, ENTITIES);
  const close = async (): Promise<void> => {
    const open = [...new Set([source, direct])].filter(({ isInitialized }) => isInitialized);
    const closed = Promise.allSettled(open.map((one) => one.destroy()));
    await Promise.race([closed, pause(CLOSE_MS, undefined, UNREF)]);
    await embedded?.release();
  };
  try {
    await source.initialize().catch((error: unknown) => {
      throw unreachable('', error);
    });
    if (direct !== source) {
      await direct.initialize().catch((error: unknown) => {
        throw unreachable(' at DATABASE_DIRECT_URL', error);
      });
    }
    await checkServer(settings, source, direct);
  } catch (error) {
    await close();
    throw error;
  }
  return { source, direct, embedded: embedded !== undefined, close };
}

export interface AppOptions {
  /** Stands between the frame of a request and its route. */
  readonly before?: RequestHandler;
  /** Certificate and key, to serve HTTPS. */
  readonly tls?: Certificate;
  /** The data source of DATABASE_DIRECT_URL, when there is one. */
  readonly direct?: DataSource;
  /** The module to serve; tests give their own around the same contract. */
  readonly root?: Type | DynamicModule;
}

/** The HTTP application, ready to listen: what the server and the tests share. */
export async function makeApp(
  settings: Settings,
  source: DataSource,
  logger: Logger,
  {
    before,
    tls,
    direct = source,
    root = AppModule.with(settings, source, direct),
  }: AppOptions = {},
): Promise<NestExpressApplication> {
  bindQuickly();
  const adapter = new ApiAdapter(settings, tls);
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    bodyParser: false,
    logger: new NestLog(logger),
    abortOnError: false,
  });
  adapter.gate = app.get(Overload, { strict: false }).gate;
  setUpApi(app, logger);
  if (before) app.use(before);
  setUpPages(app);
  await app.init();
  // Writing the OpenAPI document needs no database, and has none.
  if (source.isInitialized) {
    await app.get(Notifications, { strict: false }).start();
    app.get(TaskScheduler, { strict: false }).start();
  }
  return app;
}
