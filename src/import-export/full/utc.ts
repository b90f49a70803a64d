import { statement, type Runner } from '../../database/database';
import { type Storing } from '../engine/import.service';

// Local times may come twice a year: whole exports have all of theirs in UTC. Moving much takes
// longer than a request may.
const SET_UP = statement(
  'transfer.set_up',
  `SELECT set_config('TimeZone', 'UTC', true), set_config('statement_timeout', '0', true),
     set_config('lock_timeout', '60s', true),
     set_config('idle_in_transaction_session_timeout', '0', true)`,
);

/** Lets a transaction read and write times in UTC, and take its time. */
export async function inUtc(runner: Runner): Promise<void> {
  await runner.query(SET_UP);
}

/** The database with every transaction in UTC. */
export const utcOf = (database: Storing): Storing => ({
  query: (what, values) => database.query(what, values),
  transaction: (work) =>
    database.transaction(
      async (runner) => {
        await inUtc(runner);
        return work(runner);
      },
      { unlimited: true },
    ),
});
