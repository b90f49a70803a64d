import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { AuditModule } from '../audit/audit.module';
import { LimitValuesModule } from '../limits/limit-values.module';
import { AdminApplicationsRepository } from './applications.repository';
import { AdminApplicationsService } from './applications.service';
import { AuditRepository } from './audit.repository';
import { AdminLimitsService } from './limits.service';
import { RecordsService } from './records.service';
import { SeriesService } from './series.service';
import { TransferModule } from '../transfer/transfer.module';
import { AdminUsersRepository } from './users.repository';
import { AdminUsersService } from './users.service';

const SERVICES = [
  AdminApplicationsRepository,
  AdminApplicationsService,
  AdminUsersRepository,
  AdminUsersService,
  AdminLimitsService,
  AuditRepository,
  RecordsService,
  SeriesService,
];

/** What administrators can do, for the server and the command line alike. */
@Module({
  imports: [AuditModule, AccountsModule, LimitValuesModule, TransferModule],
  providers: SERVICES,
  exports: SERVICES,
})
export class AdminServicesModule {}
