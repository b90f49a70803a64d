import { Injectable } from '@nestjs/common';
import { expiredRows, ExpiredRowsTask } from '../database/expired-rows';

/** Deletes usage of applications that is older than a month. */
@Injectable()
export class UsageSweeper extends ExpiredRowsTask {
  override readonly taskName = 'old-application-usage';
  protected override readonly expired = expiredRows(
    'limits.usage.remove',
    'application_usage',
    `hour < now() - interval '31 days'`,
  );
}

/** Deletes counts of deprecated requests that are older than a month. */
@Injectable()
export class DeprecatedUsageSweeper extends ExpiredRowsTask {
  override readonly taskName = 'old-deprecated-requests';
  protected override readonly expired = expiredRows(
    'limits.deprecated.remove',
    'deprecated_requests',
    `day < current_date - 31`,
  );
}
