import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { Hourly } from '../database/hourly';
import { grants } from './grants.repository';

/** Removes tokens, codes and sessions that have long expired, once an hour. */
@Injectable()
export class Sweeper extends Hourly {
  constructor(private readonly database: Database) {
    super();
  }

  protected override work(): Promise<void> {
    return grants.sweep(this.database);
  }
}
