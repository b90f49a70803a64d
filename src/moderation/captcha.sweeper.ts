import { Injectable } from '@nestjs/common';
import { expiredRows, ExpiredRowsTask } from '../database/expired-rows';

/** Deletes spent challenges that have expired. */
@Injectable()
export class CaptchaSweeper extends ExpiredRowsTask {
  override readonly taskName = 'expired-captchas';
  protected override readonly expired = expiredRows(
    'captcha.sweep',
    'used_captchas',
    `expires_at < now() - interval '1 hour'`,
  );
}
