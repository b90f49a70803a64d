import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { expiredRows, removeExpired } from '../database/expired-rows';
import { ScheduledTask } from '../database/scheduled-task';

const EXPIRED = expiredRows(
  'captcha.sweep',
  'used_captchas',
  `expires_at < now() - interval '1 hour'`,
);

/** Deletes spent challenges that have expired. */
@Injectable()
export class CaptchaSweeper extends ScheduledTask {
  override readonly taskName = 'expired-captchas';

  constructor(private readonly database: Database) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await removeExpired(this.database, EXPIRED, signal);
  }
}
