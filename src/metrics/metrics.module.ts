import { Module, type DynamicModule } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { RequestObserver } from '../api/http/observer';
import { type Settings } from '../config/settings';
import { CountersModule } from '../limits/counters.module';
import { Metrics } from './metrics';
import { TaskMetrics } from './task-metrics';

/** Measures the service when METRICS_PORT is set. */
@Module({})
export class MetricsModule {
  static with(settings: Settings): DynamicModule {
    if (settings.METRICS_PORT === undefined) return { module: MetricsModule };
    return {
      module: MetricsModule,
      global: true,
      imports: [ApiModule, CountersModule],
      providers: [Metrics, TaskMetrics, { provide: RequestObserver, useExisting: Metrics }],
      exports: [Metrics, RequestObserver],
    };
  }
}
