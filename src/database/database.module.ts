import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database';
import { Notifications } from './notifications';

/** Gives every module the data source, which whoever starts the process has connected. */
@Global()
@Module({})
export class DatabaseModule {
  static with(source: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: DataSource, useValue: source }, Database, Notifications],
      exports: [DataSource, Database, Notifications],
    };
  }
}
