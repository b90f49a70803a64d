import { Module } from '@nestjs/common';
import { AdminServicesModule } from './admin-services.module';
import { AdminApplicationsController } from './applications.controller';
import { AuditController } from './audit.controller';
import { AdminLimitsController } from './limits.controller';
import { RECORD_CONTROLLERS } from './records.controller';
import { AdminSeriesController } from './series.controller';
import { AdminUsersController } from './users.controller';

/** The administration API, below `/admin/v1`. */
@Module({
  imports: [AdminServicesModule],
  controllers: [
    AdminApplicationsController,
    AdminUsersController,
    AdminLimitsController,
    AuditController,
    ...RECORD_CONTROLLERS,
    AdminSeriesController,
  ],
})
export class AdminModule {}
