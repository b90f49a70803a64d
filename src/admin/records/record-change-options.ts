import {
  nestHooks,
  type SqlExecutor,
  type TransactionHooks,
  type TransactionOptions,
} from '../../database/database';
import { holdRecords } from '../../import-export/engine/record-locks';

/**
 * Milliseconds for each statement of a change of a record by an administrator. The rows that refer
 * to the record change with it, for example the participations of an event.
 */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Options of the transaction of a change. It uses the `DirectDatabase`, which notices connections that
 * do not respond within seconds. It locks the records of the kind before it reads, because its write
 * would overwrite a concurrent import, and an import could add rows to a record that disappears.
 */
export const recordChangeOptions = (
  kind: string,
  hooks: TransactionHooks = {},
): TransactionOptions => ({
  ...nestHooks({ begin: (executor: SqlExecutor) => holdRecords(executor, kind) }, hooks),
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
});
