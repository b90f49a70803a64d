import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Logger } from 'pino';
import { ConfigModule } from '../../config/config.module';
import { flushLogger, makeLogger, NestLog } from '../../config/logger';
import { loadSettings } from '../../config/settings';
import { DatabaseModule } from '../../database/database.module';
import { makeDataSource } from '../../database/data-source';
import { ImagesModule } from '../../images/images.module';
import { TransferModule } from '../import-export.module';
import { TOO_MUCH_MEMORY } from './job-process';
import { JobsService } from './jobs.service';

@Module({})
class JobProgramModule {}

/** Connections of an import: one a lane, and one for what it looks up. */
const CONNECTIONS = 5;

/** Milliseconds between two looks at how much memory the process takes. */
const LOOK_MS = 100;

/** Milliseconds after which the database is asked again that went away: at first, and at most. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Aborted when the process is asked to stop, or the server is gone that started it. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  return stopping.signal;
}

/** Ends the process when it takes more memory than it may, whatever takes it. */
function watchMemory(megabytes: number, logger: Logger): NodeJS.Timeout {
  return setInterval(() => {
    const taken = process.memoryUsage.rss() / 1_048_576;
    if (taken <= megabytes) return;
    logger.error(
      `a job takes ${Math.round(taken)} MB of memory: JOB_MEMORY_MB allows ${megabytes}`,
    );
    logger.flush();
    process.exit(TOO_MUCH_MEMORY);
  }, LOOK_MS);
}

/** Does all that waits; while the database is away, it is waited for. */
async function work(jobs: JobsService, signal: AbortSignal, logger: Logger): Promise<void> {
  for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      await jobs.runWaiting(signal);
      return;
    } catch (error) {
      logger.warn(`jobs are waiting for the database: ${String(error)}`);
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Does the jobs of a server, in a process that it started for them. */
async function main(): Promise<void> {
  const signal = stopSignal();
  const settings = loadSettings();
  // Statements that move much data take longer than a request may wait.
  settings.DATABASE_STATEMENT_TIMEOUT_MS = 0;
  settings.DATABASE_POOL = CONNECTIONS;
  const logger = makeLogger(settings);
  const watch = watchMemory(settings.JOB_MEMORY_MB, logger);
  const source = makeDataSource(settings, settings.DATABASE_URL ?? '', []);
  await source.initialize();
  const imports = [
    ConfigModule.with(settings),
    DatabaseModule.with(source),
    ImagesModule,
    TransferModule,
  ];
  const app = await NestFactory.createApplicationContext(
    { module: JobProgramModule, imports },
    { logger: new NestLog(logger), abortOnError: false },
  );
  await work(app.get(JobsService, { strict: false }), signal, logger);
  clearInterval(watch);
  await app.close();
  if (source.isInitialized) await source.destroy();
  await flushLogger(logger);
  process.disconnect();
}

main().catch((error: unknown) => {
  process.stderr.write(`commonplace: jobs: ${String(error)}\n`);
  process.exit(1);
});
