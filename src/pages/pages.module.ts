import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { DocumentsController } from './documents.controller';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';

/** OpenAPI documents and health. */
@Module({
  imports: [ApiModule],
  controllers: [DocumentsController, HealthController],
  providers: [HealthService],
})
export class PagesModule {}
