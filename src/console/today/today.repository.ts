import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type Bar } from './traffic.repository';

const WAITING = statement(
  'console.waiting',
  `SELECT
     (SELECT count(DISTINCT application_id) FROM application_decisions
       WHERE state = 'asked' AND NOT superseded)::int AS applications,
     (SELECT count(*) FROM moderation_queue WHERE decision IS NULL)::int AS queue,
     (SELECT count(*) FROM reports WHERE decision IS NULL)::int AS reports,
     (SELECT count(*) FROM transfer_jobs WHERE state = 'failed'
       AND finished_at > now() - interval '7 days')::int AS jobs`,
);

const TRAFFIC = statement(
  'console.traffic',
  `SELECT to_char(h.hour, 'HH24:00') AS label,
     coalesce(sum(u.requests), 0)::float8 AS requests, coalesce(sum(u.rejected), 0)::float8 AS bad
   FROM generate_series(date_trunc('hour', now()) - interval '23 hours',
     date_trunc('hour', now()), interval '1 hour') AS h(hour)
   LEFT JOIN application_usage u ON u.hour = h.hour
   GROUP BY h.hour ORDER BY h.hour`,
);

const APPLICATIONS = statement(
  'console.top_applications',
  `SELECT a.client_id, a.name, sum(u.requests)::float8 AS requests,
     sum(u.rejected)::float8 AS rejected
   FROM application_usage u JOIN applications a ON a.id = u.application_id
   WHERE u.hour >= now() - interval '30 days'
   GROUP BY a.id ORDER BY sum(u.requests) DESC, a.id LIMIT 5`,
);

const HEALTH = statement(
  'console.health',
  `SELECT current_setting('server_version') AS postgres,
     pg_database_size(current_database())::float8 AS bytes,
     (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database())::int AS connections,
     (SELECT name FROM migrations ORDER BY id DESC LIMIT 1)::text AS migration,
     (SELECT count(*) FROM pictures)::float8 AS pictures,
     ARRAY(SELECT application_name || ': ' || coalesce(round(extract(epoch FROM replay_lag))::text, '0') || ' s'
       FROM pg_stat_replication ORDER BY 1) AS replicas`,
);

/** Numbers of pending decisions, and of failed jobs. */
export interface Waiting {
  readonly applications: number;
  readonly queue: number;
  readonly reports: number;
  /** Jobs that failed in the last week. */
  readonly jobs: number;
}

/** Requests of an application in 30 days. */
export interface ApplicationTraffic {
  readonly client_id: string;
  readonly name: string;
  readonly requests: number;
  readonly rejected: number;
}

/** The state of the database. */
export interface DatabaseHealth {
  readonly postgres: string;
  readonly bytes: number;
  readonly connections: number;
  readonly migration: string;
  readonly pictures: number;
  /** Name and replay lag of each standby server. */
  readonly replicas: readonly string[];
}

/** Reads what the first page of the console shows. */
@Injectable()
export class TodayRepository {
  constructor(private readonly database: Database) {}

  async getWaiting(): Promise<Waiting> {
    const [row] = await this.database.query<Waiting>(WAITING);
    return row ?? { applications: 0, queue: 0, reports: 0, jobs: 0 };
  }

  /** Requests of applications in the last 24 hours, oldest first; rejected ones are `bad`. */
  listHours(): Promise<Bar[]> {
    return this.database.query<Bar>(TRAFFIC);
  }

  /** The applications with most requests. */
  listTopApplications(): Promise<ApplicationTraffic[]> {
    return this.database.query<ApplicationTraffic>(APPLICATIONS);
  }

  async findHealth(): Promise<DatabaseHealth | undefined> {
    return (await this.database.query<DatabaseHealth>(HEALTH))[0];
  }
}
