import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';

const RECENT = `hour >= date_trunc('day', now()) - interval '29 days'`;

const BY_DAY = statement(
  'console.traffic_by_day',
  `SELECT to_char(d.day, 'MM-DD') AS label, coalesce(s.requests, 0)::float8 AS requests,
     coalesce(s.failed, 0)::float8 AS bad
   FROM generate_series(date_trunc('day', now()) - interval '29 days', date_trunc('day', now()),
     interval '1 day') AS d(day)
   LEFT JOIN (
     SELECT date_trunc('day', hour) AS day, sum(requests) AS requests,
       sum(requests) FILTER (WHERE status >= 500) AS failed
     FROM request_statistics WHERE ${RECENT} GROUP BY 1) s ON s.day = d.day
   ORDER BY d.day`,
);

const status = (digit: number): string =>
  `coalesce(sum(requests) FILTER (WHERE status / 100 = ${digit}), 0)::float8`;

// An operation is a method and a path: `GET /v2/book/:id` belongs to `v2/book`, pages to the first
// part of their path.
const BY_AREA = statement(
  'console.traffic_by_area',
  `SELECT coalesce(substring(operation FROM ' /(v2/[a-z_]+|[a-z_-]+)'), operation) AS area,
     ARRAY[${[2, 3, 4, 5].map(status).join(', ')}] AS statuses
   FROM request_statistics WHERE ${RECENT} GROUP BY 1 ORDER BY sum(requests) DESC, 1 LIMIT 12`,
);

const BY_LIMIT = statement(
  'console.refusals_by_limit',
  `SELECT refused_by, sum(requests)::float8 AS requests FROM request_statistics
   WHERE ${RECENT} AND refused_by <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
);

/** Routes with fewer requests have no meaningful average. */
const MIN_REQUESTS = 10;

const SLOWEST = statement(
  'console.slowest_routes',
  `SELECT operation, sum(requests)::float8 AS requests,
     sum(milliseconds) / sum(requests) AS average, max(max_milliseconds) AS longest
   FROM request_statistics WHERE ${RECENT} AND operation <> '*'
   GROUP BY 1 HAVING sum(requests) >= ${MIN_REQUESTS} ORDER BY 3 DESC, 1 LIMIT 8`,
);

/** Requests of a day or an hour, as a bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly requests: number;
  /** The part that is shown in red. */
  readonly bad: number;
}

/** Requests of the last 30 days of all callers. */
export interface Traffic {
  /** Oldest first; failed requests have a status of 500 or more. */
  readonly days: readonly Bar[];
  /** Requests with a status of 2xx, 3xx, 4xx and 5xx, most used area first. */
  readonly areas: readonly { readonly area: string; readonly statuses: readonly number[] }[];
  readonly limits: readonly { readonly refused_by: string; readonly requests: number }[];
  readonly slowest: readonly {
    readonly operation: string;
    readonly requests: number;
    /** Milliseconds. */
    readonly average: number;
    readonly longest: number;
  }[];
}

/** Reads the counted requests of all callers (`limits/request-statistics.service.ts`). */
@Injectable()
export class TrafficRepository {
  constructor(private readonly database: Database) {}

  async getTraffic(): Promise<Traffic> {
    const { database } = this;
    const [days, areas, limits, slowest] = await Promise.all([
      database.query<Bar>(BY_DAY),
      database.query<Traffic['areas'][number]>(BY_AREA),
      database.query<Traffic['limits'][number]>(BY_LIMIT),
      database.query<Traffic['slowest'][number]>(SLOWEST),
    ]);
    return { days, areas, limits, slowest };
  }
}
