import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { expiredRows, removeExpired } from '../database/expired-rows';
import { ScheduledTask } from '../database/scheduled-task';

const EXPIRED = expiredRows(
  'limits.usage.remove',
  'application_usage',
  `hour < now() - interval '31 days'`,
);

/** Deletes usage of applications that is older than a month. */
@Injectable()
export class UsageSweeper extends ScheduledTask {
  override readonly taskName = 'old-application-usage';

  constructor(private readonly database: Database) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await removeExpired(this.database, EXPIRED, signal);
  }
}
