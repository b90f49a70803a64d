import { Global, Module } from '@nestjs/common';
import { IdempotencyStore } from '../api/writes/idempotency';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencySweeper } from './idempotency.sweeper';

/** Idempotency keys of POST requests. Global, because the interceptor runs for every controller. */
@Global()
@Module({
  providers: [
    IdempotencyRepository,
    { provide: IdempotencyStore, useExisting: IdempotencyRepository },
    IdempotencySweeper,
  ],
  exports: [IdempotencyStore],
})
export class IdempotencyModule {}
