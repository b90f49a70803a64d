import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { AdminServicesModule } from '../admin/admin-services.module';
import { ApiModule } from '../api/api.module';
import { ConsoleSessions } from './access/console-sessions.service';
import { ConsoleAssetsController } from './assets/assets.controller';
import { QueuePageController } from './review/queue.controller';
import { QueuedTextsRepository } from './review/queued-texts.repository';
import { ReportedContentsRepository } from './review/reported-contents.repository';
import { ReportPageController } from './review/reports.controller';
import { ApplicationPageController } from './applications/applications.controller';
import { UserPageController } from './users/users.controller';
import { LogPageController } from './log/log.controller';
import { SettingPageController } from './settings/settings.controller';
import { WordPageController } from './words/words.controller';
import { ApplicationUseRepository } from './applications/applications.repository';
import { UserAppsRepository } from './users/users.repository';
import { RecentTextsRepository } from './words/recent-texts.repository';
import { TodayController } from './today/today.controller';
import { TodayRepository } from './today/today.repository';

/** The console at `/admin`: pages for administrators over the services of `admin/`. */
@Module({
  imports: [ApiModule, AccountsModule, AdminServicesModule],
  controllers: [
    ConsoleAssetsController,
    TodayController,
    QueuePageController,
    ReportPageController,
    ApplicationPageController,
    UserPageController,
    LogPageController,
    SettingPageController,
    WordPageController,
  ],
  providers: [
    ConsoleSessions,
    TodayRepository,
    QueuedTextsRepository,
    ReportedContentsRepository,
    ApplicationUseRepository,
    UserAppsRepository,
    RecentTextsRepository,
  ],
})
export class ConsoleModule {}
