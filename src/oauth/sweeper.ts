import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database } from '../database/database';
import { grants } from './grants.repository';

const HOUR = 3600 * 1000;

/** Removes tokens, codes and sessions that have long expired, once an hour. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // The next hour tries again.
      grants.sweep(this.database).catch((error: unknown) => {
        new Logger(Sweeper.name).warn(`nothing was swept: ${String(error)}`);
      });
    }, HOUR);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }
}
