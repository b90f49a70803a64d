import { Module } from '@nestjs/common';
import { AdminServicesModule } from './admin-services.module';
import { AdminApplicationsController } from './applications.controller';
import { AuditController } from './audit.controller';
import { BlockEndTask } from './block-end.task';
import { AdminChartsController } from './charts.controller';
import { AdminModerationQueueController } from './moderation-queue.controller';
import { AdminJobsController } from './jobs.controller';
import { AdminLimitsController } from './limits.controller';
import { MERGE_CONTROLLERS } from './records/merges.controller';
import { RECORD_CONTROLLERS } from './records/records.controller';
import { AdminReportsController, ReportController } from './reports.controller';
import { AdminSeriesController } from './series.controller';
import { ShowingsController } from './showings.controller';
import { AdminUsersController } from './users.controller';
import { AdminWordsController } from './words.controller';

/** The administration API, below `/admin/v1`. */
@Module({
  imports: [AdminServicesModule],
  providers: [BlockEndTask],
  controllers: [
    AdminApplicationsController,
    AdminUsersController,
    AdminLimitsController,
    AuditController,
    ...RECORD_CONTROLLERS,
    ...MERGE_CONTROLLERS,
    AdminSeriesController,
    AdminChartsController,
    ShowingsController,
    AdminWordsController,
    AdminModerationQueueController,
    AdminJobsController,
    ReportController,
    AdminReportsController,
  ],
})
export class AdminModule {}
