import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { expiredRows, removeExpired } from '../database/expired-rows';
import { ScheduledTask } from '../database/scheduled-task';

// Keys can be reused after a day.
const EXPIRED = expiredRows(
  'idempotency.sweep',
  'idempotency_keys',
  `started_at < now() - interval '25 hours'`,
);

/** Deletes expired idempotency keys with their responses. */
@Injectable()
export class IdempotencySweeper extends ScheduledTask {
  override readonly taskName = 'expired-idempotency-keys';

  constructor(private readonly database: Database) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await removeExpired(this.database, EXPIRED, signal);
  }
}
