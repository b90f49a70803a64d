import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { DocsController } from './docs.controller';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';

/** Pages outside the API: health, front page, documentation, pictures. */
@Module({
  imports: [ApiModule],
  controllers: [DocsController, HealthController],
  providers: [HealthService],
})
export class PagesModule {}
