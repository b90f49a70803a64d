import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { TaskScheduler } from '../database/task-scheduler';
import { Metrics } from './metrics';

/** When each scheduled task last succeeded; every process says the same. */
@Injectable()
export class TaskMetrics {
  private readonly logger = new Logger(TaskMetrics.name);

  constructor(scheduler: TaskScheduler, metrics: Metrics) {
    const { logger } = this;
    new Gauge({
      name: 'commonplace_task_last_success_timestamp_seconds',
      help: 'When a scheduled task last succeeded in any process: seconds since 1970',
      labelNames: ['task'],
      registers: [metrics.registry],
      async collect() {
        this.reset();
        try {
          const successes = await scheduler.lastSuccesses();
          for (const { name, at } of successes) this.set({ task: name }, at.getTime() / 1000);
        } catch (error) {
          // The other metrics must be there when the database is away: that is what they are for.
          logger.warn(`scheduled tasks were not read: ${String(error)}`);
        }
      },
    });
  }
}
