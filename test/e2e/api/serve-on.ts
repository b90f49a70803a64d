import { type AddressInfo } from 'node:net';
import { type DynamicModule } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { makeApp } from '../../../src/server/setup';
import { type Settings } from '../../../src/config/settings';
import { testSettings } from '../../settings';
import { LogLines } from './log-lines';

export interface Served {
  readonly app: NestExpressApplication;
  readonly log: LogLines;
  call(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface ServedOptions {
  readonly settings?: Record<string, string>;
  readonly root?: (settings: Settings, source: DataSource) => DynamicModule;
  /** Least level that is logged. */
  readonly level?: string;
}

/** Serves on a data source of the test's own, with a log that can be read. */
export async function serveOn(source: DataSource, options: ServedOptions = {}): Promise<Served> {
  const settings = testSettings(options.settings);
  const log = new LogLines(options.level);
  const app = await makeApp(settings, source, log.logger, {
    root: options.root?.(settings, source),
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    log,
    call: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    close: () => app.close(),
  };
}
