import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { FrontController } from './front.controller';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';

/** Front page, OpenAPI documents and health. */
@Module({
  imports: [ApiModule],
  controllers: [FrontController, HealthController],
  providers: [HealthService],
})
export class PagesModule {}
