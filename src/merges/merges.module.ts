import { Module } from '@nestjs/common';
import { MergedIdsModule } from '../api/routing/merged-ids.module';
import { MergedIdsLoader } from './merged-ids-loader';

/** Keeps the ids of merged records in memory. */
@Module({
  imports: [MergedIdsModule],
  providers: [MergedIdsLoader],
  exports: [MergedIdsModule, MergedIdsLoader],
})
export class MergesModule {}
