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

/** Deletes the statistics of all requests that are older than a month. */
@Injectable()
export class RequestStatisticsSweeper extends ExpiredRowsTask {
  override readonly taskName = 'old-request-statistics';
  protected override readonly expired = expiredRows(
    'limits.statistics.remove',
    'request_statistics',
    `hour < now() - interval '31 days'`,
  );
}

/** Deletes the requests of applications by operation that are older than a month. */
@Injectable()
export class ApplicationRequestsSweeper extends ExpiredRowsTask {
  override readonly taskName = 'old-application-requests';
  protected override readonly expired = expiredRows(
    'limits.requests.remove',
    'application_requests',
    `day < current_date - 31`,
  );
}

/** Deletes failed requests of applications that are older than a month. */
@Injectable()
export class ApplicationFailuresSweeper extends ExpiredRowsTask {
  override readonly taskName = 'old-application-failures';
  protected override readonly expired = expiredRows(
    'limits.failures.remove',
    'application_failures',
    `failed_at < now() - interval '31 days'`,
  );
}
