import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { AdminServicesModule } from '../admin/admin-services.module';
import { ApiModule } from '../api/api.module';
import { TransferModule } from '../import-export/import-export.module';
import { CountersModule } from '../limits/counters.module';
import { ConsoleSessions } from './access/console-sessions.service';
import { CONSOLE } from './paths';
import { ConsoleAssetsController } from './assets/assets.controller';
import { QueuePageController } from './review/queue.controller';
import { QueuedTextsRepository } from './review/queued-texts.repository';
import { ContentRepository } from './review/content.repository';
import { UndoableDecisionsRepository } from './review/undoable.repository';
import { ReportPageController } from './review/reports.controller';
import { ApplicationPageController } from './applications/applications.controller';
import { UserPageController } from './users/users.controller';
import { LogPageController } from './log/log.controller';
import { SettingPageController } from './settings/settings.controller';
import { WordPageController } from './words/words.controller';
import { ConsoleApplicationsRepository } from './applications/applications.repository';
import { TransferPageController } from './transfers/transfers.controller';
import { BackupPageController } from './transfers/backup.controller';
import { UploadMiddleware } from './transfers/upload.middleware';
import { RecentTextSearch } from './words/recent-text-search.service';
import { RecentTextsRepository } from './words/recent-texts.repository';
import { RemovedWordsRepository } from './words/removed-words.repository';
import { CataloguePageController } from './catalogue/catalogue.controller';
import { RecordDetailsRepository } from './catalogue/record-details.repository';
import { ChartPageController } from './lists/charts.controller';
import { SeriesPageController } from './lists/series.controller';
import { ShowingPageController } from './lists/showings.controller';
import { MergePageController } from './catalogue/merge.controller';
import { SetupController } from './setup/setup.controller';
import { TodayController } from './today/today.controller';
import { HealthService } from './today/health.service';
import { TodayRepository } from './today/today.repository';
import { TrafficRepository } from './today/traffic.repository';

/** The console at `/admin`: pages for administrators over the services of `admin/`. */
@Module({
  imports: [ApiModule, AccountsModule, AdminServicesModule, TransferModule, CountersModule],
  controllers: [
    ConsoleAssetsController,
    SetupController,
    TodayController,
    QueuePageController,
    ReportPageController,
    ApplicationPageController,
    UserPageController,
    LogPageController,
    SettingPageController,
    WordPageController,
    SeriesPageController,
    ShowingPageController,
    ChartPageController,
    MergePageController,
    CataloguePageController,
    TransferPageController,
    BackupPageController,
  ],
  providers: [
    ConsoleSessions,
    HealthService,
    TodayRepository,
    TrafficRepository,
    QueuedTextsRepository,
    ContentRepository,
    UndoableDecisionsRepository,
    ConsoleApplicationsRepository,
    RecentTextSearch,
    RecentTextsRepository,
    RemovedWordsRepository,
    RecordDetailsRepository,
  ],
})
export class ConsoleModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const path = `${CONSOLE.transfers}/upload`;
    consumer.apply(UploadMiddleware).forRoutes({ path, method: RequestMethod.POST });
  }
}
