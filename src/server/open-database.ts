import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { ENTITIES } from './entities';
import { type Settings } from '../config/settings';
import { locatePrimary, makeDataSource, replicasOf } from '../database/data-source';
import { makeDirectDataSource } from '../database/direct-database';
import { openEmbedded } from '../database/embedded/embedded';
import { checkServer } from '../database/server-check';

/** A connected database, external or embedded. */
export interface OpenDatabase {
  readonly source: DataSource;
  /**
   * Data source with direct PostgreSQL sessions; the same as `source` without DATABASE_DIRECT_URL.
   */
  readonly direct: DataSource;
  /** True for the embedded server. */
  readonly embedded: boolean;
  /**
   * Closes the connections, and stops the embedded server unless another process uses it. It waits
   * at most a second for connections in use.
   *
   * @throws Error when the embedded server does not stop
   */
  close(): Promise<void>;
}

/** Milliseconds that it waits for connections in use. */
const CLOSE_MS = 1000;
const UNREF = { ref: false };

const unreachable = (address: string, error: unknown): Error => {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new Error(`The database cannot be reached${address}: ${reason}`, { cause: error });
};

/**
 * Connects to `DATABASE_URL`, or to the embedded server, which it starts when needed, and to
 * `DATABASE_DIRECT_URL` if set.
 *
 * @param tell receives a sentence when the embedded server is lost, and when it is back
 * @throws Error with a one-sentence message when the database cannot be reached or used
 */
export async function openDatabase(
  settings: Settings,
  tell?: (message: string) => void,
): Promise<OpenDatabase> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING } = settings;
  const embedded = DATABASE_URL
    ? undefined
    : await openEmbedded({ dataDir: settings.dataDir, log: tell });
  const url = DATABASE_URL ?? embedded?.url ?? '';
  const source = makeDataSource(settings, url, ENTITIES, DATABASE_POOLING);
  const direct =
    DATABASE_DIRECT_URL === undefined
      ? source
      : makeDirectDataSource(settings, DATABASE_DIRECT_URL, ENTITIES);
  const close = async (): Promise<void> => {
    const open = [...new Set([source, direct])].filter(({ isInitialized }) => isInitialized);
    const closed = Promise.allSettled([
      ...open.map((dataSource) => dataSource.destroy()),
      replicasOf(source)?.close(),
      direct === source ? undefined : replicasOf(direct)?.close(),
    ]);
    await Promise.race([closed, pause(CLOSE_MS, undefined, UNREF)]);
    await embedded?.release();
  };
  try {
    await locatePrimary(source, settings.DATABASE_CONNECT_TIMEOUT_MS);
    await source.initialize().catch((error: unknown) => {
      throw unreachable('', error);
    });
    if (direct !== source) {
      await locatePrimary(direct, settings.DATABASE_CONNECT_TIMEOUT_MS);
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
