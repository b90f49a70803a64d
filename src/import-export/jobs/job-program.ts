import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Logger } from 'pino';
import { errorText } from '../../api/errors/error-text';
import { ConfigModule } from '../../config/config.module';
import { shareDnsLookups } from '../../process/dns-lookups';
import { exitProcess } from '../../process/exit-process';
import { isLogBlocked } from '../../config/line-batches';
import { flushLogger, makeLogger, NestLog } from '../../config/logger';
import { loadSettings } from '../../config/settings';
import { Database } from '../../database/database';
import { DatabaseModule } from '../../database/database.module';
import { locatePrimary, makeDataSource, replicasOf } from '../../database/data-source';
import { followServers } from '../../database/replicas/follow-servers';
import { ImagesModule } from '../../images/images.module';
import { TransferModule } from '../import-export.module';
import { TOO_MUCH_MEMORY } from './job-process';
import { JobsService } from './jobs.service';
import { runJobs } from './run-jobs';
import { reportAlive } from './silent-process';

@Module({})
class JobProgramModule {}

/** Connections of an import: one per lane and one for lookups. */
const CONNECTIONS = 5;

/** Interval of memory checks in milliseconds. */
const LOOK_MS = 100;

/** A signal that is aborted when the process is asked to stop or its parent is gone. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  return stopping.signal;
}

/** Ends the process when it exceeds its memory limit. */
function watchMemory(megabytes: number, logger: Logger): NodeJS.Timeout {
  return setInterval(() => {
    const taken = process.memoryUsage.rss() / 1_048_576;
    if (taken <= megabytes) return;
    logger.error(
      `the job process uses ${Math.round(taken)} MB of memory, more than JOB_MEMORY_MB allows: ${megabytes}`,
    );
    logger.flush();
    exitProcess(TOO_MUCH_MEMORY);
  }, LOOK_MS);
}

/** Runs the jobs of the server that started this process. */
async function main(): Promise<void> {
  shareDnsLookups();
  const signal = stopSignal();
  reportAlive(Number(process.argv[2]));
  const settings = loadSettings();
  // Statements that move large amounts of data take longer than the timeout of requests.
  settings.DATABASE_STATEMENT_TIMEOUT_MS = 0;
  settings.DATABASE_POOL = CONNECTIONS;
  // It serves no reads.
  settings.DATABASE_REPLICA_URLS = undefined;
  const logger = makeLogger(settings);
  const watch = watchMemory(settings.JOB_MEMORY_MB, logger);
  const source = makeDataSource(settings, settings.DATABASE_URL ?? '', []);
  await locatePrimary(source);
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
  await followServers([app.get(Database)], (message) => {
    logger.warn(message);
  });
  await runJobs(app.get(JobsService, { strict: false }), signal, (message) => {
    logger.warn(message);
  });
  clearInterval(watch);
  await app.close();
  await replicasOf(source)?.close();
  if (source.isInitialized) await source.destroy();
  await flushLogger(logger);
  process.disconnect();
  // A thread that hangs in a write would keep the process.
  if (isLogBlocked()) exitProcess(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`commonplace: jobs: ${errorText(error)}\n`);
  exitProcess(1);
});
