import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database';
import { DirectDatabase } from './direct-database';
import { Notifications } from './notifications';
import { SilentConnections } from './silent-connections';
import { TaskScheduler } from './task-scheduler';

/** Provides the connected data source to every module. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param direct the data source of DATABASE_DIRECT_URL, if set */
  static with(source: DataSource, direct = source): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useValue: source },
        Database,
        {
          provide: DirectDatabase,
          useFactory: (database: Database) =>
            direct === source ? database : new DirectDatabase(direct),
          inject: [Database],
        },
        { provide: Notifications, useFactory: () => new Notifications(direct) },
        SilentConnections,
        TaskScheduler,
      ],
      exports: [DataSource, Database, DirectDatabase, Notifications, TaskScheduler],
    };
  }
}
