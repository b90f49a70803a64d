import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { ScheduledTask } from '../database/scheduled-task';
import { BOOK_SEARCH, SUBJECT_SEARCH } from './search-sql';
import { MAX_REFRESHED_CHANGES } from './stored-search-sql';

/** A number that no other advisory lock uses: "srch" in ASCII. */
const LOCK = 0x73726368;

/**
 * Held by a transaction that stores a search. Otherwise changes could be deleted that are not in its
 * snapshot, before the search that needs them is visible.
 */
export const LOCK_STORED_SHARED = statement(
  'search.lock_shared',
  `SELECT pg_advisory_xact_lock_shared(${LOCK})`,
);

const TRY_LOCK = statement(
  'search.try_lock',
  `SELECT pg_try_advisory_xact_lock(${LOCK}) AS locked`,
);

/** Stored searches are kept for this long after their last refresh. */
const KEPT = `interval '1 day'`;
/** Stored searches that are kept, the latest; until the next run, some more can be stored. */
const MAX_KEPT = 10_000;

const PRUNE_SEARCHES = statement(
  'search.prune_searches',
  `DELETE FROM search_results WHERE stored_at < now() - ${KEPT}
     OR server_started_at <> pg_postmaster_start_time()
     OR (source, phrase) IN (
       SELECT source, phrase FROM search_results ORDER BY stored_at DESC OFFSET ${MAX_KEPT})`,
);

/** SQL: the oldest snapshot value of a stored search, as in the tables of changes. */
const SINCE = 'pg_snapshot_xmin(r.as_of::pg_snapshot)::text::bigint';

/**
 * Deletes searches with more changes since than a refresh compares. The last of these changes is
 * found once, not for each search.
 */
const pruneOutdated = (texts: string, changes: string): string =>
  `DELETE FROM search_results r WHERE source = '${texts}' AND ${SINCE} <= (
     SELECT transaction_id FROM ${changes}
     ORDER BY transaction_id DESC OFFSET ${MAX_REFRESHED_CHANGES} LIMIT 1)`;

/** Like {@link pruneOutdated}, for the changes of a search's tag. */
const pruneOutdatedOfTags = (texts: string, changes: string): string =>
  `DELETE FROM search_results r USING (
     SELECT folded, transaction_id,
       row_number() OVER (PARTITION BY folded ORDER BY transaction_id DESC) AS number
     FROM ${changes}) c
   WHERE r.source = '${texts}' AND c.number = ${MAX_REFRESHED_CHANGES} + 1
     AND c.folded = split_part(r.phrase, E'\\n', 2) AND ${SINCE} <= c.transaction_id`;

/** Deletes changes that all stored searches of a table contain. */
const pruneChanges = (texts: string, changes: string): string =>
  `DELETE FROM ${changes} WHERE transaction_id < (
     SELECT min(pg_snapshot_xmin(s)::text::bigint) FROM (
       SELECT pg_current_snapshot() AS s
       UNION ALL SELECT as_of::pg_snapshot FROM search_results WHERE source = '${texts}') all_snapshots)`;

const PRUNE_CHANGES = [BOOK_SEARCH, SUBJECT_SEARCH].flatMap(({ texts, tags }) => [
  statement(`${texts}.prune_outdated`, pruneOutdated(texts, `${texts}_changes`)),
  statement(`${tags}.prune_outdated`, pruneOutdatedOfTags(texts, `${tags}_changes`)),
  statement(`${texts}.prune_changes`, pruneChanges(texts, `${texts}_changes`)),
  statement(`${tags}.prune_changes`, pruneChanges(texts, `${tags}_changes`)),
]);

/** Deletes stored searches that are not used, and changes that no stored search needs. */
@Injectable()
export class StoredSearchesTask extends ScheduledTask {
  override readonly taskName = 'prune-stored-searches';
  override readonly intervalSeconds = 600;

  constructor(private readonly database: Database) {
    super();
  }

  override async run(): Promise<void> {
    await this.database.query(PRUNE_SEARCHES);
    await this.database.transaction(async (executor) => {
      const [lock] = await executor.query<{ locked: boolean }>(TRY_LOCK);
      if (lock?.locked !== true) return;
      for (const prune of PRUNE_CHANGES) await executor.query(prune);
    });
  }
}
