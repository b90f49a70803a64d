import { Module } from '@nestjs/common';
import { MergedIds } from './merged-ids';

/** Provides the ids of merged records. It needs no routes, so that commands can import it. */
@Module({ providers: [MergedIds], exports: [MergedIds] })
export class MergedIdsModule {}
