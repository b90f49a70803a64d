import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from './settings';

/** Gives every module the one `Settings` of the process. */
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
