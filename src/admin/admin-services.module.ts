import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { AuditModule } from '../audit/audit.module';
import { SeriesRepository } from '../books/series.repository';
import { ChartSnapshotsRepository } from '../movies/chart-snapshots.repository';
import { ShowingsRepository } from '../movies/showings.repository';
import { LimitValuesModule } from '../limits/limit-values.module';
import { AdminApplicationsService } from './applications.service';
import { CitiesModule } from '../cities/cities.module';
import { ModerationServicesModule } from '../moderation/moderation-services.module';
import { ChartsComputeModule } from '../movies/charts-compute.module';
import { AdminChartsService } from './charts.service';
import { AdminModerationQueueService } from './moderation-queue.service';
import { FirstAdministratorService } from './first-administrator.service';
import { ImportPreviewService } from './import-preview.service';
import { AdminJobsService } from './jobs.service';
import { TransferFolder } from './transfer-folder';
import { ShowingsService } from './showings.service';
import { AdminWordsService } from './words.service';
import { AdminLimitsService } from './limits.service';
import { MergesService } from './records/merges.service';
import { RecordsService } from './records/records.service';
import { ReportsService } from './reports.service';
import { SeriesService } from './series.service';
import { MergesModule } from '../merges/merges.module';
import { TransferModule } from '../import-export/import-export.module';
import { UsersModule } from '../users/users.module';
import { AdminTokensService } from './tokens.service';
import { AdminUsersService } from './users.service';

const SERVICES = [
  AdminApplicationsService,
  AdminTokensService,
  AdminUsersService,
  FirstAdministratorService,
  AdminLimitsService,
  RecordsService,
  MergesService,
  SeriesService,
  AdminChartsService,
  ShowingsService,
  AdminWordsService,
  AdminModerationQueueService,
  AdminJobsService,
  ImportPreviewService,
  TransferFolder,
  ReportsService,
];

/** Administration services for the server and the command line. */
@Module({
  imports: [
    AuditModule,
    AccountsModule,
    UsersModule,
    LimitValuesModule,
    TransferModule,
    MergesModule,
    CitiesModule,
    ChartsComputeModule,
    ModerationServicesModule,
  ],
  providers: [SeriesRepository, ChartSnapshotsRepository, ShowingsRepository, ...SERVICES],
  exports: [...SERVICES, AuditModule],
})
export class AdminServicesModule {}
