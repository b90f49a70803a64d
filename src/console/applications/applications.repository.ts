import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';

const USE = statement(
  'console.application_use',
  `SELECT u.hour::date::text AS day, sum(u.requests)::float8 AS requests,
     sum(u.rejected)::float8 AS rejected
   FROM application_usage u JOIN applications a ON a.id = u.application_id
   WHERE a.client_id = $1 AND u.hour >= now() - interval '30 days'
   GROUP BY 1 ORDER BY 1 DESC`,
);

/** Requests of an application on a day. */
export interface DayOfRequests {
  readonly day: string;
  readonly requests: number;
  readonly rejected: number;
}

/** Reads how much an application is used. */
@Injectable()
export class ApplicationUseRepository {
  constructor(private readonly database: Database) {}

  /** The days of the last 30 days with requests, newest first. */
  listUse(clientId: string): Promise<DayOfRequests[]> {
    return this.database.query<DayOfRequests>(USE, [clientId]);
  }
}
