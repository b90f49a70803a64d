import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type INestApplicationContext, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type DataSource } from 'typeorm';
import { openDatabase } from '../../server/open-database';
import { AccountsModule } from '../../accounts/accounts.module';
import { BookQueueModule } from '../../books/book-queue.module';
import { ConfigModule } from '../../config/config.module';
import { exitUrgently, exitWithoutHanging } from '../../process/exit-process';
import { flushLogger, makeLogger, NestLog } from '../../config/logger';
import { loadSettings, type Settings } from '../../config/settings';
import { DatabaseModule } from '../../database/database.module';
import { Database } from '../../database/database';
import { migrateUp } from '../../database/migrate';
import { AdminServicesModule } from '../../admin/admin-services.module';
import { ImagesModule } from '../../images/images.module';
import { ChartsComputeModule } from '../../movies/charts-compute.module';
import { NoteQueueModule } from '../../notes/note-queue.module';
import { NoteHistoryModule } from '../../notes/note-history.module';
import { ModerationServicesModule } from '../../moderation/moderation-services.module';
import { OauthModule } from '../../oauth/oauth.module';
import { SampleModule } from '../../sample/sample.module';
import { raceAbort, StopRequested, StopSignals, URGENT_MS } from '../../server/stop-signals';
import { TransferModule } from '../../import-export/import-export.module';
import { UsersModule } from '../../users/users.module';
import { isOutputClosed } from './closed-output';

/** The services without the HTTP server, for commands. */
@Module({})
class ServicesModule {
  static with(settings: Settings, source: DataSource): DynamicModule {
    return {
      module: ServicesModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule.with(source),
        OauthModule,
        AccountsModule,
        UsersModule,
        ImagesModule,
        NoteHistoryModule,
        ModerationServicesModule,
        BookQueueModule,
        NoteQueueModule,
        TransferModule,
        ChartsComputeModule,
        SampleModule,
        AdminServicesModule,
      ],
    };
  }
}

/**
 * Runs work that cleans up and throws the reason of `signal` when it is aborted. A signal then ends
 * the process with the usual exit status, or SIGKILL if a file operation hangs. A second signal ends
 * it in the same way 1.2 seconds later at most, also if the work waits for a database that does not
 * respond.
 */
export async function withStopSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signals = new StopSignals(() => {
    const { exitCode } = signals.signal.reason as StopRequested;
    setTimeout(() => void exitUrgently(exitCode), URGENT_MS);
  });
  try {
    return await work(signals.signal);
  } catch (error) {
    // Abandoned work may still run without a database, so the process exits here.
    if (error instanceof StopRequested) await exitWithoutHanging(error.exitCode);
    throw error;
  } finally {
    signals.close();
  }
}

/**
 * Runs work on a connected database, the embedded one or that of `DATABASE_URL`. A signal closes
 * the database, then ends the process.
 */
export function withSource<T>(
  work: (source: DataSource, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = loadSettings();
  // Commands that move large amounts of data exceed the statement timeout of requests.
  settings.DATABASE_STATEMENT_TIMEOUT_MS = 0;
  // Most commands need PostgreSQL session features, which a connection pooler lacks.
  if (settings.DATABASE_DIRECT_URL !== undefined) {
    settings.DATABASE_URL = settings.DATABASE_DIRECT_URL;
    settings.DATABASE_DIRECT_URL = undefined;
    settings.DATABASE_POOLING = 'session';
  }
  return withStopSignal(async (signal) => {
    const database = await openDatabase(settings, { tell: logToStderr, signal });
    try {
      signal.throwIfAborted();
      return await raceAbort(signal, work(database.source, settings));
    } finally {
      await database.close();
    }
  });
}

/** Runs work with the services on a migrated database. */
export function withServices<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  return withSource(async (source, settings) => {
    const logger = makeLogger(settings, 2);
    await migrateUp(source);
    const app = await NestFactory.createApplicationContext(ServicesModule.with(settings, source), {
      logger: new NestLog(logger),
      abortOnError: false,
    });
    try {
      await app.get(Database, { strict: false }).checkStandby();
      return await work(app);
    } finally {
      await app.close();
      await flushLogger(logger);
    }
  });
}

/**
 * Reads standard input to its end.
 * @throws Error when it is not UTF-8
 */
export async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return decodeUtf8('standard input', Buffer.concat(chunks));
}

/**
 * Reads a text file, or standard input for `-`.
 * @throws Error when it cannot be read or is not UTF-8
 */
export async function readText(file: string): Promise<string> {
  return file === '-' ? readInput() : decodeUtf8(file, await readFile(file));
}

/** @param name of the source, for the message of the error */
function decodeUtf8(name: string, bytes: Buffer): string {
  // Invalid bytes would become U+FFFD, for example in a password.
  if (!isUtf8(bytes)) throw new Error(`${name}: not valid UTF-8`);
  return bytes.toString('utf8');
}

/** Prints a message to standard error. */
export function logToStderr(message: unknown): void {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  process.stderr.write(`${text}\n`);
}

/** Writes pieces to standard output until it is closed, and respects backpressure. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (isOutputClosed()) return;
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}
