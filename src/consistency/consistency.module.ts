import { Global, Module } from '@nestjs/common';
import { OwnWrites } from '../api/consistency/own-writes';
import { OwnWritesService } from './own-writes.service';

/** Lets callers read their own writes in every process. Global: guards and interceptors use it. */
@Global()
@Module({
  providers: [OwnWritesService, { provide: OwnWrites, useExisting: OwnWritesService }],
  exports: [OwnWrites],
})
export class ConsistencyModule {}
