import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';

const WAITING = statement(
  'console.waiting',
  `SELECT
     (SELECT count(DISTINCT application_id) FROM application_decisions
       WHERE state = 'asked' AND NOT superseded)::int AS applications,
     (SELECT count(*) FROM moderation_queue WHERE decision IS NULL)::int AS queue,
     (SELECT count(DISTINCT (kind, target_id)) FROM reports WHERE decision IS NULL)::int
       AS reports,
     (SELECT count(*) FROM transfer_jobs WHERE state = 'failed'
       AND finished_at > now() - interval '7 days')::int AS jobs`,
);

/** Numbers of pending decisions, and of failed jobs. */
export interface Waiting {
  readonly applications: number;
  readonly queue: number;
  /** Contents with open reports. */
  readonly reports: number;
  /** Jobs that failed in the last week. */
  readonly jobs: number;
}

/** Counts what waits for administrators. */
@Injectable()
export class TodayRepository {
  constructor(private readonly database: Database) {}

  async getWaiting(): Promise<Waiting> {
    const [row] = await this.database.query<Waiting>(WAITING);
    return row ?? { applications: 0, queue: 0, reports: 0, jobs: 0 };
  }
}
