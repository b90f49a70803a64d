import { Injectable } from '@nestjs/common';
import { MergedIds } from '../api/routing/merged-ids';
import { Database } from '../database/database';
import { StaleReadGuard } from '../database/stale-read-guard';
import { Notifications } from '../database/notifications';
import { listMergedRecords } from './merged-records';

/** Channel of the trigger that reports changes of the table `merged_records`. */
const CHANNEL = 'merged_records_changed';

/** Keeps the ids of merged records in memory, for the paths of requests. */
@Injectable()
export class MergedIdsLoader {
  private readonly rows: StaleReadGuard<Awaited<ReturnType<typeof listMergedRecords>>>;

  constructor(database: Database, ids: MergedIds, notifications: Notifications) {
    this.rows = new StaleReadGuard(
      () => listMergedRecords(database),
      (rows) => {
        ids.replace(rows.map(({ kind, id, survivor_id }) => [kind, id, survivor_id]));
      },
    );
    notifications.on(CHANNEL, () => this.read());
  }

  /** Reloads the table. @throws ApiError 999 with 503 when the database is unavailable */
  async read(): Promise<void> {
    await this.rows.refresh();
  }
}
