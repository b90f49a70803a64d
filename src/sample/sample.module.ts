import { Module } from '@nestjs/common';
import { TransferModule } from '../import-export/import-export.module';
import { UsersModule } from '../users/users.module';
import { SampleService } from './sample.service';

/** The sample catalogue of a new installation. */
@Module({
  imports: [TransferModule, UsersModule],
  providers: [SampleService],
  exports: [SampleService],
})
export class SampleModule {}
