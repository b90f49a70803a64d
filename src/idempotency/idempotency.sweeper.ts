import { Injectable } from '@nestjs/common';
import { expiredRows, ExpiredRowsTask } from '../database/expired-rows';

/** Deletes expired idempotency keys with their responses. */
@Injectable()
export class IdempotencySweeper extends ExpiredRowsTask {
  override readonly taskName = 'expired-idempotency-keys';
  // Keys can be reused after a day.
  protected override readonly expired = expiredRows(
    'idempotency.sweep',
    'idempotency_keys',
    `started_at < now() - interval '25 hours'`,
  );
}
