import { Injectable } from '@nestjs/common';
import { Hourly } from '../database/hourly';
import { IdempotencyRepository } from './idempotency.repository';

/** Removes keys that are free again, once an hour. */
@Injectable()
export class IdempotencySweeper extends Hourly {
  constructor(private readonly keys: IdempotencyRepository) {
    super();
  }

  protected override work(): Promise<void> {
    return this.keys.sweep();
  }
}
