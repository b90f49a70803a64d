import { statement } from '../../database/database';

/**
 * Settings of the transactions of an import, in place of those for requests:
 * - They wait ten minutes for a lock, and have no limit for a statement. No request waits for them,
 *   and they may wait for rows of another import.
 * - They may pause for a minute between two statements, for example while they store pictures. A
 *   longer limit stays (`utc.ts`).
 * - They do not flush the pending list of a GIN index; `IndexFlusher` does it in a transaction of
 *   its own, while they continue.
 * - Their COMMIT does not wait for the disk. A crash of PostgreSQL may undo the last ones, which
 *   importing again repairs. The import fails then (`CrashCheck`; a job loses its connection). At its
 *   end it commits a transaction that makes them durable.
 */
export const SET_BULK = statement(
  'import_export.set_bulk',
  `SELECT set_config('lock_timeout', '10min', true), set_config('statement_timeout', '0', true),
     set_config('idle_in_transaction_session_timeout', (1000 * greatest(60, extract(epoch FROM
       current_setting('idle_in_transaction_session_timeout')::interval)))::bigint::text, true),
     set_config('gin_pending_list_limit', '1048576', true),
     set_config('synchronous_commit', 'off', true)`,
);
