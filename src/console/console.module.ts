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
  ],
  providers: [ConsoleSessions, TodayRepository, QueuedTextsRepository, ReportedContentsRepository],
})
export class ConsoleModule {}
