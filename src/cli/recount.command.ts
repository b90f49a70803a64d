import { AuditService } from '../audit/audit.service';
import { checkCollectionCounts } from '../books/collection-counts';
import { checkLargeCollectors } from '../books/large-collectors';
import { checkTagCounts } from '../books/tag-counts';
import { Database } from '../database/database';
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

@Command({
  name: 'recount',
  description:
    'recompute the counters of books, tags, collections, events and lists; print and repair the differences',
})
export class RecountCommand extends CommandRunner {
  async run(_arguments: string[], { check = false }: { check?: boolean }): Promise<void> {
    await withServices(async (app) => {
      const database = app.get(Database, { strict: false });
      const drift = [
        ...(await checkBooks(database, { repair: !check })),
        // After the books, whose repair writes tags.
        ...(await checkTagCounts(database, { repair: !check })),
        ...(await checkCollectionCounts(database, { repair: !check })),
        ...(await checkLargeCollectors(database, { repair: !check })),
        ...(await checkEvents(database, { repair: !check })),
        // Before the counts, which are those of the copies.
        ...(await checkParticipations(database, { repair: !check })),
        ...(await checkNoteLikes(database, { repair: !check })),
        ...(await checkParticipationCounts(database, { repair: !check })),
        ...(await checkEventCounts(database, { repair: !check })),
        ...(await checkListCounts(database, { repair: !check })),
      ];
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
