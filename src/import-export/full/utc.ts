import { statement, type SqlExecutor } from '../../database/database';
import { type Storing } from '../engine/storing';

// Full exports use UTC because local times can be ambiguous. The statement timeout is off and the
// other timeouts are longer, because a large transfer takes longer than a request. A transaction
// that is idle for ten minutes has lost its client.
const SET_UP = statement(
  'import_export.set_up',
  `SELECT set_config('TimeZone', 'UTC', true), set_config('statement_timeout', '0', true),
     set_config('lock_timeout', '60s', true),
     set_config('idle_in_transaction_session_timeout', '10min', true)`,
);

/** Switches a transaction to UTC and relaxes its timeouts. */
export async function inUtc(executor: SqlExecutor): Promise<void> {
  await executor.query(SET_UP);
}

/** The database with all transactions in UTC. */
export const utcOf = (database: Storing): Storing => ({
  maxConnections: database.maxConnections,
  source: database.source,
  query: (what, values) => database.query(what, values),
  transaction: (work, options) =>
    database.transaction(
      async (executor) => {
        await inUtc(executor);
        return work(executor);
      },
      { ...options, unlimited: true },
    ),
});
