import { AuditService } from '../audit/audit.service';
import { checkCollectionCounts } from '../books/collection-counts';
import { checkLargeCollectors } from '../books/large-collectors';
import { checkTagCounts } from '../books/tag-counts';
import { Database, statement } from '../database/database';
import { checkListCounts } from '../database/list-counts';
import { checkEventCounts } from '../events/event-counts';
import { checkParticipationCounts } from '../events/participation-counts';
import { checkEvents, checkParticipations } from '../import-export/events/event.recount';
import { checkBooks } from '../import-export/engine/recount';
import { checkNoteLikes } from '../import-export/notes/note-like.recount';
import { Command, CommandRunner, Option } from './support/command';
import { cliActor } from './support/actor';
import { logToStderr, withServices } from './support/bootstrap';
import { print } from './support/output';

/** A number that no other advisory lock uses: "rcnt" in ASCII. */
const LOCK = 0x72636e74;

const TRY_LOCK = statement(
  'recount.try_lock',
  `SELECT pg_try_advisory_xact_lock(${LOCK}) AS locked,
     set_config('idle_in_transaction_session_timeout', '0', true)`,
);

/** The counters that differ from what they count. */
async function compare(database: Database, repair: boolean): Promise<object[]> {
  return [
    ...(await checkBooks(database, { repair })),
    // After the books, whose repair writes tags.
    ...(await checkTagCounts(database, { repair })),
    ...(await checkCollectionCounts(database, { repair })),
    ...(await checkLargeCollectors(database, { repair })),
    ...(await checkEvents(database, { repair })),
    // Before the counts, which are those of the copies.
    ...(await checkParticipations(database, { repair })),
    ...(await checkNoteLikes(database, { repair })),
    ...(await checkParticipationCounts(database, { repair })),
    ...(await checkEventCounts(database, { repair })),
    ...(await checkListCounts(database, { repair })),
  ];
}

/**
 * Compares and repairs. Two concurrent repairs would correct the same difference twice.
 *
 * @throws Error when another one is running
 */
function repairExclusively(database: Database): Promise<object[]> {
  return database.transaction(
    async (executor) => {
      const [row] = await executor.query<{ locked: boolean }>(TRY_LOCK);
      if (row?.locked !== true) throw new Error('another recount is running');
      return compare(database, true);
    },
    { unlimited: true },
  );
}

@Command({
  name: 'recount',
  description:
    'recompute the counters of books, tags, collections, events, participations, likes and lists; print and repair the differences',
})
export class RecountCommand extends CommandRunner {
  async run(_arguments: string[], { check = false }: { check?: boolean }): Promise<void> {
    await withServices(async (app) => {
      const database = app.get(Database, { strict: false });
      const drift = check ? await compare(database, false) : await repairExclusively(database);
      if (!check && drift.length > 0) {
        const entry = { actor: cliActor(), action: 'recount', kind: 'counts', id: 'all' };
        await app.get(AuditService, { strict: false }).log(entry, { repaired: drift.length });
      }
      for (const one of drift) logToStderr(one);
      print({ drift: drift.length, repaired: check ? 0 : drift.length });
      if (check && drift.length > 0)
        throw new Error('counters differ; run without --check to repair them');
    });
  }

  @Option({
    flags: '--check',
    description: 'report only; exit with status 1 when a counter differs',
  })
  parseCheck(): boolean {
    return true;
  }
}
