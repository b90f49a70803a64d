import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { ENTITIES } from './entities';
import { type Settings } from '../config/settings';
import {
  destroyConnections,
  locatePrimary,
  makeDataSource,
  replicasOf,
} from '../database/data-source';
import { makeDirectDataSource } from '../database/direct-database';
import { openEmbedded, type EmbeddedServer } from '../database/embedded/embedded';
import { checkServer } from '../database/server-check';
import { withResponseTimeout } from '../database/unresponsive-database';
import { raceAbort } from './stop-signals';

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
   * at most a second for connections in use, and then closes them.
   *
   * @throws Error when the embedded server does not stop
   */
  close(): Promise<void>;
}

/** Milliseconds that it waits for connections in use. */
const CLOSE_MS = 1000;
const UNREF = { ref: false };

/**
 * Steps of opening a data source that may each take `DATABASE_CONNECT_TIMEOUT_MS`: to connect, to
 * apply the session settings, and to answer TypeORM's statements about the server.
 */
const STEPS = 3;

const unreachable = (address: string, error: unknown): Error => {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new Error(`The database cannot be reached${address}: ${reason}`, { cause: error });
};

/** What opening a database may need from its caller. */
export interface OpenOptions {
  /** Receives a sentence when the embedded server is lost, and when it is back. */
  readonly tell?: (message: string) => void;
  /** The embedded server, if the caller opens it; it is closed with the database. */
  readonly embedded?: Promise<EmbeddedServer>;
  /** Ends the opening when it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to `DATABASE_URL`, or to the embedded server, which it starts when needed, and to
 * `DATABASE_DIRECT_URL` if set. A server that accepts connections and does not respond is
 * unreachable after a few times `DATABASE_CONNECT_TIMEOUT_MS`.
 *
 * @throws Error with a one-sentence message when the database cannot be reached or used
 * @throws the reason of the signal when it is aborted; then no connection is open
 */
export async function openDatabase(
  settings: Settings,
  { tell, embedded: opening, signal = new AbortController().signal }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING } = settings;
  const embedded = DATABASE_URL
    ? undefined
    : await (opening ?? openEmbedded({ dataDir: settings.dataDir, log: tell, signal }));
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
    for (const dataSource of [source, direct]) destroyConnections(dataSource);
    await embedded?.release();
  };
  const patience = settings.DATABASE_CONNECT_TIMEOUT_MS;
  const connect = async (dataSource: DataSource, address: string): Promise<void> => {
    await locatePrimary(dataSource, patience);
    await withResponseTimeout(STEPS * patience, dataSource.initialize()).catch((error: unknown) => {
      throw unreachable(address, error);
    });
  };
  const connectAndCheck = async (): Promise<void> => {
    await connect(source, '');
    if (direct !== source) await connect(direct, ' at DATABASE_DIRECT_URL');
    await checkServer(settings, source, direct);
  };
  try {
    signal.throwIfAborted();
    await raceAbort(signal, connectAndCheck());
  } catch (error) {
    await close();
    throw error;
  }
  return { source, direct, embedded: embedded !== undefined, close };
}
