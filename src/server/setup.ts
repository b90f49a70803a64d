import { type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler } from 'express';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { ApiAdapter } from '../api/http/adapter';
import { setUpApi } from '../api/api.setup';
import { FastLane, serveByFastLane } from '../api/fast-lane/fast-lane';
import { Overload } from '../api/http/overload';
import { AppModule } from '../app.module';
import { type Certificate } from './certificate';
import { NestLog } from '../config/logger';
import { type Settings } from '../config/settings';
import { Database } from '../database/database';
import { DirectDatabase } from '../database/direct-database';
import { followServers } from '../database/replicas/follow-servers';
import { Notifications } from '../database/notifications';
import { TaskScheduler } from '../database/task-scheduler';
import { setUpPages } from '../pages/pages.setup';
import { PageLane } from '../site/page-lane';

export interface AppOptions {
  /** Middleware between request context and route. */
  readonly before?: RequestHandler;
  /** Whether `before` lets all requests pass, so that reads may skip it. */
  readonly passesAll?: () => boolean;
  /** Certificate and key for HTTPS. */
  readonly tls?: Certificate;
  /** The data source of DATABASE_DIRECT_URL, if set. */
  readonly direct?: DataSource;
  /** The root module; tests pass their own with the same HTTP contract. */
  readonly root?: Type | DynamicModule;
}

/** Creates the HTTP application, ready to listen; the server and the tests use it. */
export async function makeApp(
  settings: Settings,
  source: DataSource,
  logger: Logger,
  { before, passesAll, tls, direct = source, root }: AppOptions = {},
): Promise<NestExpressApplication> {
  const adapter = new ApiAdapter(settings, tls);
  const module = root ?? AppModule.with(settings, source, direct);
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLog(logger),
    abortOnError: false,
  });
  adapter.gate = app.get(Overload, { strict: false }).gate;
  setUpApi(app, logger);
  if (before) app.use(before);
  const lane = app.get(FastLane, { strict: false });
  if (before) lane.isOpen = passesAll ?? (() => false);
  const api = serveByFastLane(
    lane,
    (response, body) => adapter.reply(response, body),
    adapter.handle,
  );
  adapter.handle = api;
  // The module of a test may have no pages.
  if (!root) {
    const pages = app.get(PageLane, { strict: false });
    adapter.handle = (request, response) => {
      pages.handle(request, response, api);
    };
  }
  setUpPages(app);
  await app.init();
  // The command that writes the OpenAPI document has no database.
  if (source.isInitialized) {
    const databases = new Set(
      [Database, DirectDatabase].map((of) => app.get(of, { strict: false })),
    );
    await followServers(databases, (message) => {
      logger.warn(message);
    });
    await app.get(Notifications, { strict: false }).start();
    if (settings.runsJobs) app.get(TaskScheduler, { strict: false }).start();
  }
  return app;
}
