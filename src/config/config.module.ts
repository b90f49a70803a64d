import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from './settings';

/** Provides the `Settings` of the process to every module. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Settings, useValue: settings }],
      exports: [Settings],
    };
  }
}
