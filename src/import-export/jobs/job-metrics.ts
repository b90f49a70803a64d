import { Injectable, Logger, Optional } from '@nestjs/common';
import { errorText } from '../../api/errors/error-text';
import { loadPromClient } from '../../config/packages';
import { Metrics } from '../../metrics/metrics';
import { JOB_STATES, JOB_TYPES } from './job';
import { JobsRepository } from './jobs.repository';

/** Exports job counts as metrics; all processes report the same values. */
@Injectable()
export class JobMetrics {
  private readonly logger = new Logger(JobMetrics.name);

  constructor(jobs: JobsRepository, @Optional() metrics?: Metrics) {
    if (!metrics) return;
    const { logger } = this;
    const { Gauge } = loadPromClient();
    new Gauge({
      name: 'commonplace_jobs',
      help: 'Imports and exports as jobs, by type and state, as the database has them',
      labelNames: ['type', 'state'],
      aggregator: 'max',
      registers: [metrics.registry],
      async collect() {
        try {
          const counts = await jobs.counts();
          this.reset();
          for (const type of JOB_TYPES) {
            for (const state of JOB_STATES) this.set({ type, state }, 0);
          }
          for (const { type, state, n } of counts) this.set({ type, state }, n);
        } catch (error) {
          // The other metrics must stay available while the database is down.
          this.reset();
          logger.warn(`cannot count jobs: ${errorText(error)}`);
        }
      },
    });
  }
}
