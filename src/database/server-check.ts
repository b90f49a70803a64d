import { type DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { currentUrl, responseTimeoutOf } from './data-source';
import { PoolClient } from './pool-client';
import { withResponseTimeout } from './unresponsive-database';

/** Oldest supported PostgreSQL: migrations use UNIQUE NULLS NOT DISTINCT. */
const MIN_VERSION = 15;

/** Milliseconds for each step of the pooler check; after that the check is skipped. */
const PATIENCE_MS = 2000;

/**
 * Repetitions of the pooler check. A session that becomes idle in the middle of one, such as a new
 * one, can give both clients a session each.
 */
const ATTEMPTS = 3;

interface Server {
  /** Major version. */
  readonly version: number;
  readonly encoding: string;
}

const SERVER = `SELECT current_setting('server_version_num')::int / 10000 AS version,
  current_setting('server_encoding') AS encoding`;

/** Identifies a database, independent of its address. */
const IDENTITY = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity`;

/** Why a server is unusable, as a sentence; undefined when it is usable. */
export function serverProblem({ version, encoding }: Server): string | undefined {
  if (version < MIN_VERSION) {
    return `PostgreSQL ${MIN_VERSION} or newer is required, but the server is PostgreSQL ${version}.`;
  }
  if (encoding !== 'UTF8') {
    return `The encoding of the database must be UTF8, but it is ${encoding}.`;
  }
  return undefined;
}

/**
 * Whether clients of an address share PostgreSQL sessions, as with a pooler in transaction mode.
 * Then two statements of a client run in different sessions, or those of two clients in the same
 * session.
 *
 * @returns undefined when the check found no result in time
 */
export async function sharesSessions(url: string): Promise<boolean | undefined> {
  const clients = [1, 2].map(
    () => new PoolClient({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS }),
  );
  const [first, second] = clients as [PoolClient, PoolClient];
  const pidOf = async (client: PoolClient): Promise<unknown> => {
    const text = 'SELECT pg_backend_pid() AS pid';
    const { rows } = await client.query<{ pid: number }>({
      text,
      query_timeout: PATIENCE_MS,
    } as { text: string });
    return rows[0]?.pid;
  };
  const control = (client: PoolClient, text: 'BEGIN' | 'COMMIT'): Promise<unknown> =>
    client.query({ text, query_timeout: PATIENCE_MS } as { text: string });
  try {
    for (const client of clients) await client.connect();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await pidOf(first);
      // Poolers select either the most recently or the least recently used session.
      if ((await pidOf(first)) !== before) return true;
      await control(second, 'BEGIN');
      if ((await pidOf(second)) === before || (await pidOf(first)) !== before) return true;
      await control(second, 'COMMIT');
    }
    return false;
  } catch {
    return undefined;
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** @returns undefined where the role lacks the permission */
async function identityOf(source: DataSource): Promise<string | undefined> {
  try {
    const found = source.query<{ identity: string }[]>(IDENTITY);
    const [row] = await withResponseTimeout(responseTimeoutOf(source), found);
    return row?.identity;
  } catch {
    return undefined;
  }
}

/**
 * Checks whether the service can use a database.
 *
 * @throws Error with a one-sentence message when it cannot
 */
export async function checkServer(
  settings: Settings,
  source: DataSource,
  direct: DataSource,
): Promise<void> {
  const found = withResponseTimeout(responseTimeoutOf(source), source.query<Server[]>(SERVER));
  const [server] = await found.catch((error: unknown) => {
    throw new Error('The database cannot be checked', { cause: error });
  });
  const fault = server && serverProblem(server);
  if (fault !== undefined) throw new Error(fault);
  if (direct !== source) {
    const [pooled, own] = await Promise.all([source, direct].map(identityOf));
    if (pooled !== undefined && own !== undefined && pooled !== own) {
      throw new Error('DATABASE_DIRECT_URL and DATABASE_URL point to different databases.');
    }
  }
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING } = settings;
  if (
    DATABASE_POOLING === 'session' &&
    DATABASE_URL &&
    (await sharesSessions(currentUrl(source)))
  ) {
    throw new Error(
      'DATABASE_URL points to a pooler in transaction mode, which requires ' +
        'DATABASE_POOLING=transaction and DATABASE_DIRECT_URL.',
    );
  }
  if (DATABASE_DIRECT_URL && (await sharesSessions(currentUrl(direct)))) {
    throw new Error(
      'DATABASE_DIRECT_URL points to a pooler in transaction mode. It must point to PostgreSQL.',
    );
  }
}
