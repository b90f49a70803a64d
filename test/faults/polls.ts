import { type Postgres } from './postgres';
import { eventually } from './processes';

/** Polls until each process has compared a position with one that was read after it. */
const POLLS = 3;

/** Waits until a standby has replayed all that its primary has written. */
export async function replayedAll(primary: Postgres, standby: Postgres): Promise<void> {
  const [row] = await primary.sql<{ lsn: string }>(
    'SELECT pg_current_wal_flush_lsn()::text AS lsn',
  );
  await eventually('the standby has replayed the log', async () => {
    const [replayed] = await standby.sql<{ all: boolean }>(
      `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn}' AS all`,
    );
    return replayed?.all === true;
  });
}

/** Waits until every process that polls a server knows its present state. */
export async function polled(server: Postgres): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const [row] = await server.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
    await eventually('the server is polled', async () => {
      const [polls] = await server.sql<{ all: boolean | null }>(
        `SELECT bool_and(query_start > '${row?.now}') AS all FROM pg_stat_activity
          WHERE application_name = 'commonplace-monitor'`,
      );
      return polls?.all === true;
    });
  }
}
