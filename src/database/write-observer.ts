import { statement } from './statement';

/** What a transaction has changed. */
export interface TransactionChanges {
  /** Id of the transaction. Null if it has written nothing. */
  readonly xid: string | null;
  /** Keys of content; null for none. */
  readonly keys: readonly string[] | null;
}

/** Is notified of the writes of this process. */
export interface WriteObserver {
  /** Whether transactions read their changes before COMMIT, in the same round trip. */
  readonly wantsChanges: boolean;
  /** Call it when a transaction is committed, before its caller learns of it. */
  committed(changes: TransactionChanges): void;
  /** Call it after other writes, and when their outcome is unknown. */
  wrote(): void;
}

/** The changes of the current transaction so far. Values: none. */
export const OWN_CHANGES = statement(
  'changes.of_transaction',
  `SELECT pg_current_xact_id_if_assigned()::text AS xid,
     (SELECT array_agg(key) FROM content_changes c, unnest(c.keys) AS key
      WHERE c.xid = pg_current_xact_id_if_assigned()::text::bigint) AS keys`,
);
