import { Injectable, Logger } from '@nestjs/common';
import { errorText } from '../api/errors/error-text';
import { loadPromClient } from '../config/packages';
import { TaskScheduler } from '../database/task-scheduler';
import { Metrics } from './metrics';

/** When each scheduled task last succeeded. Every process exports the same values. */
@Injectable()
export class TaskMetrics {
  private readonly logger = new Logger(TaskMetrics.name);

  constructor(scheduler: TaskScheduler, metrics: Metrics) {
    const { logger } = this;
    const { Gauge } = loadPromClient();
    new Gauge({
      name: 'commonplace_task_last_success_timestamp_seconds',
      help: 'When a scheduled task last succeeded in any process: seconds since 1970',
      labelNames: ['task'],
      aggregator: 'max',
      registers: [metrics.registry],
      async collect() {
        this.reset();
        try {
          const successes = await scheduler.lastSuccesses();
          for (const { name, at } of successes) this.set({ task: name }, at.getTime() / 1000);
        } catch (error) {
          // The other metrics must stay available while the database is not.
          logger.warn(`cannot read the scheduled tasks: ${errorText(error)}`);
        }
      },
    });
  }
}
