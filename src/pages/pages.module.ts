import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { DocsController } from './docs.controller';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';

/** What is served beside the API: health, the front page, the documentation, pictures. */
@Module({
  imports: [ApiModule],
  controllers: [DocsController, HealthController],
  providers: [HealthService],
})
export class PagesModule {}
