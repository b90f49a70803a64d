import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '../database/database';
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

/** Maximum number of changes that a statement deletes, so that it ends before its timeout. */
export const PRUNED_BATCH = 200_000;

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

/** SQL: the oldest transaction that a stored search may lack. */
const OLDEST_MISSING = 'pg_snapshot_xmin(r.as_of::pg_snapshot)::text::bigint';

/** SQL: the latest transaction since which more rows have changed than a refresh compares. */
const latestOutdated = (changes: string, condition = 'true'): string =>
  `(SELECT transaction_id FROM ${changes} c WHERE ${condition}
    ORDER BY transaction_id DESC OFFSET ${MAX_REFRESHED_CHANGES} LIMIT 1)`;

/** Deletes searches that lack too many changes. These are counted once for all searches. */
const pruneOutdated = (texts: string, changes: string): string =>
  `DELETE FROM search_results r
   WHERE source = '${texts}' AND ${OLDEST_MISSING} <= ${latestOutdated(changes)}`;

/** Like {@link pruneOutdated}, for the changes of a search's tag, counted once for each tag. */
const pruneOutdatedOfTags = (texts: string, changes: string): string =>
  `DELETE FROM search_results r USING (
     SELECT t.folded, ${latestOutdated(changes, 'c.folded = t.folded')} AS last
     FROM (SELECT DISTINCT split_part(phrase, E'\\n', 2) AS folded
       FROM search_results WHERE source = '${texts}') t) l
   WHERE r.source = '${texts}' AND l.folded = split_part(r.phrase, E'\\n', 2)
     AND ${OLDEST_MISSING} <= l.last`;

/** Deletes a batch of changes that all stored searches of a table contain. */
const pruneChanges = (texts: string, changes: string): string =>
  `DELETE FROM ${changes} c USING (
     SELECT ctid AS row_id FROM ${changes} WHERE transaction_id < (
       SELECT min(pg_snapshot_xmin(s)::text::bigint) FROM (
         SELECT pg_current_snapshot() AS s
         UNION ALL SELECT as_of::pg_snapshot FROM search_results WHERE source = '${texts}') all_snapshots)
     LIMIT ${PRUNED_BATCH}) batch
   WHERE c.ctid = batch.row_id`;

/** A statement that counts the rows that another one deletes. */
const counted = (name: string, deletion: string): Statement =>
  statement(
    name,
    `WITH deleted AS (${deletion} RETURNING 1) SELECT count(*)::int AS count FROM deleted`,
  );

const STEPS = [BOOK_SEARCH, SUBJECT_SEARCH].flatMap(({ texts, tags }) => [
  counted(`${texts}.prune_outdated`, pruneOutdated(texts, `${texts}_changes`)),
  counted(`${tags}.prune_outdated`, pruneOutdatedOfTags(texts, `${tags}_changes`)),
  counted(`${texts}.prune_changes`, pruneChanges(texts, `${texts}_changes`)),
  counted(`${tags}.prune_changes`, pruneChanges(texts, `${tags}_changes`)),
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
    for (const step of STEPS) while ((await this.runStep(step)) === PRUNED_BATCH);
  }

  /** @returns the number of deleted rows */
  private runStep(step: Statement): Promise<number> {
    return this.database.transaction(async (executor) => {
      const [lock] = await executor.query<{ locked: boolean }>(TRY_LOCK);
      if (lock?.locked !== true) return 0;
      const [row] = await executor.query<{ count: number }>(step);
      return row?.count ?? 0;
    });
  }
}
