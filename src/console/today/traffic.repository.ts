import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '../../database/database';
import { areaOf, type TrafficArea } from './areas';
import { CachedValue } from './cached-value';

/** Periods that the first page shows. */
export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** SQL of a period: its first hour, and the bars of its chart. */
const SPANS: Readonly<Record<Period, { from: string; unit: string; label: string }>> = {
  day: { from: `date_trunc('hour', now()) - interval '23 hours'`, unit: 'hour', label: 'HH24:00' },
  month: { from: `date_trunc('day', now()) - interval '29 days'`, unit: 'day', label: 'MM-DD' },
};

/**
 * Counted requests of a period, without the pages of the console and the checks of load balancers
 * and monitoring. Patterns that begin with a letter cost less than a search for the path.
 */
const counted = (period: Period): string =>
  `request_statistics WHERE hour >= ${SPANS[period].from}
     AND NOT (operation LIKE 'GET /admin%' AND operation NOT LIKE 'GET /admin/v1%')
     AND NOT (operation LIKE 'POST /admin%' AND operation NOT LIKE 'POST /admin/v1%')
     AND operation <> ALL ('{GET /healthz,GET /readyz,GET /metrics}')`;

const sumOf = (condition: string): string =>
  `coalesce(sum(requests) FILTER (WHERE ${condition}), 0)::float8`;

const bars = (period: Period): Statement => {
  const { from, unit, label } = SPANS[period];
  const step = `interval '1 ${unit}'`;
  return statement(
    `console.traffic_bars.${period}`,
    `SELECT to_char(t.at, '${label}') AS label, coalesce(s.succeeded, 0) AS succeeded,
       coalesce(s.client_errors, 0) AS "clientErrors",
       coalesce(s.server_errors, 0) AS "serverErrors"
     FROM generate_series(${from}, date_trunc('${unit}', now()), ${step}) AS t(at)
     LEFT JOIN (
       SELECT date_trunc('${unit}', hour) AS at, ${sumOf('status < 400')} AS succeeded,
         ${sumOf('status BETWEEN 400 AND 499')} AS client_errors,
         ${sumOf('status >= 500')} AS server_errors
       FROM ${counted(period)} GROUP BY 1) s ON s.at = t.at
     ORDER BY t.at`,
  );
};

const operations = (period: Period): Statement =>
  statement(
    `console.traffic_operations.${period}`,
    `SELECT operation, sum(requests)::float8 AS requests,
       ARRAY[${[2, 3, 4, 5].map((digit) => sumOf(`status / 100 = ${digit}`)).join(', ')}] AS statuses,
       sum(milliseconds) / sum(requests) AS average, max(max_milliseconds) AS longest
     FROM ${counted(period)} GROUP BY 1 ORDER BY 1`,
  );

const limits = (period: Period): Statement =>
  statement(
    `console.traffic_limits.${period}`,
    `SELECT refused_by AS name, sum(requests)::float8 AS requests
     FROM ${counted(period)} AND refused_by <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`,
  );

// Test keys count apart (D171).
const applications = (period: Period): Statement =>
  statement(
    `console.top_applications.${period}`,
    `SELECT a.client_id, a.name, sum(u.requests)::float8 AS requests,
       sum(u.rejected)::float8 AS rejected
     FROM application_usage u JOIN applications a ON a.id = u.application_id
     WHERE u.hour >= ${SPANS[period].from} AND a.test_of IS NULL
     GROUP BY a.id ORDER BY sum(u.requests) DESC, a.id LIMIT 5`,
  );

const statementsOf = (period: Period): Readonly<Record<keyof Traffic, Statement>> => ({
  bars: bars(period),
  operations: operations(period),
  limits: limits(period),
  applications: applications(period),
});

const STATEMENTS = { day: statementsOf('day'), month: statementsOf('month') };

/** Cache time in milliseconds. The statements about a month read many rows. */
const TTL_MS: Readonly<Record<Period, number>> = { day: 2000, month: 60_000 };

/** Requests of an hour or a day by their outcome. */
export interface Bar {
  readonly label: string;
  /** With a status below 400. */
  readonly succeeded: number;
  /** With a status of 4xx. */
  readonly clientErrors: number;
  /** With a status of 500 or more. */
  readonly serverErrors: number;
}

/** Requests to an operation. */
export interface OperationTraffic {
  /** Method and path with parameters as `:name`. */
  readonly operation: string;
  readonly requests: number;
  /** Requests with a status of 2xx, 3xx, 4xx and 5xx. */
  readonly statuses: readonly number[];
  /** Milliseconds. */
  readonly average: number;
  readonly longest: number;
}

/** Requests of a period by all callers. */
export interface Traffic {
  /** Oldest first. */
  readonly bars: readonly Bar[];
  readonly operations: readonly OperationTraffic[];
  /** Requests that a limit refused, by the name of its counter. */
  readonly limits: readonly { readonly name: string; readonly requests: number }[];
  /** The applications with most requests. */
  readonly applications: readonly {
    readonly client_id: string;
    readonly name: string;
    readonly requests: number;
    readonly rejected: number;
  }[];
}

/** Requests by area, most used area first. */
export function byArea(
  all: readonly OperationTraffic[],
): { readonly area: TrafficArea; readonly statuses: readonly number[] }[] {
  const areas = new Map<TrafficArea, number[]>();
  for (const { operation, statuses } of all) {
    const area = areaOf(operation);
    const sums = areas.get(area) ?? statuses.map(() => 0);
    areas.set(
      area,
      sums.map((sum, at) => sum + (statuses[at] ?? 0)),
    );
  }
  const total = (statuses: readonly number[]): number => statuses.reduce((sum, n) => sum + n, 0);
  return [...areas]
    .map(([area, statuses]) => ({ area, statuses }))
    .sort((one, other) => total(other.statuses) - total(one.statuses));
}

/** Routes with fewer requests have no meaningful average. */
const MIN_REQUESTS = 10;
const SLOWEST_COUNT = 8;

/** The operations with the longest average, slowest first. */
export const slowestOf = (all: readonly OperationTraffic[]): OperationTraffic[] =>
  all
    .filter(
      ({ operation, requests }) => requests >= MIN_REQUESTS && areaOf(operation) !== 'unmatched',
    )
    .sort((one, other) => other.average - one.average)
    .slice(0, SLOWEST_COUNT);

/** Reads the counted requests of all callers (`limits/request-statistics.service.ts`). */
@Injectable()
export class TrafficRepository {
  private readonly cached: Readonly<Record<Period, CachedValue<Traffic>>>;

  constructor(private readonly database: Database) {
    const cached = (period: Period): CachedValue<Traffic> =>
      new CachedValue(TTL_MS[period], () => this.read(period));
    this.cached = { day: cached('day'), month: cached('month') };
  }

  /** Requests of a period, at most two seconds old for a day and a minute for a month. */
  getTraffic(period: Period): Promise<Traffic> {
    return this.cached[period].get();
  }

  private async read(period: Period): Promise<Traffic> {
    const { database } = this;
    const of = STATEMENTS[period];
    const [rows, operationRows, limitRows, applicationRows] = await Promise.all([
      database.query<Bar>(of.bars),
      database.query<OperationTraffic>(of.operations),
      database.query<Traffic['limits'][number]>(of.limits),
      database.query<Traffic['applications'][number]>(of.applications),
    ]);
    return {
      bars: rows,
      operations: operationRows,
      limits: limitRows,
      applications: applicationRows,
    };
  }
}
