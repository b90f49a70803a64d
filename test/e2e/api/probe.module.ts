import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { ApiModule } from '../../../src/api/api.module';
import { ConfigModule } from '../../../src/config/config.module';
import { type Settings } from '../../../src/config/settings';
import { DatabaseModule } from '../../../src/database/database.module';
import { LimitsModule } from '../../../src/limits/limits.module';
import { OauthModule } from '../../../src/oauth/oauth.module';

@Module({})
class ProbeModule {}

/** A service of these controllers alone, under the same contract as the real one. */
export const probing =
  (...controllers: Type[]) =>
  (settings: Settings, source: DataSource): DynamicModule => ({
    module: ProbeModule,
    imports: [
      ConfigModule.with(settings),
      DatabaseModule.with(source),
      ApiModule,
      OauthModule,
      LimitsModule,
    ],
    controllers,
  });
