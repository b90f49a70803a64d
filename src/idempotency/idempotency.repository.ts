import { Injectable } from '@nestjs/common';
import { IdempotencyStore, type KeyOwner } from '../api/writes/idempotency';
import { Database } from '../database/database';
import { KeyAttempt } from './key-attempt';

/** Idempotency keys, in the same database and transaction as the writes that they protect. */
@Injectable()
export class IdempotencyRepository extends IdempotencyStore {
  constructor(private readonly database: Database) {
    super();
  }

  override createAttempt(owner: KeyOwner, key: string): KeyAttempt {
    return new KeyAttempt(this.database, owner, key);
  }
}
