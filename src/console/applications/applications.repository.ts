import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { wireTime } from '../../database/wire-time';

const USE = statement(
  'console.application_use',
  `SELECT u.hour::date::text AS day, sum(u.requests)::float8 AS requests,
     sum(u.rejected)::float8 AS rejected
   FROM application_usage u JOIN applications a ON a.id = u.application_id
   WHERE a.client_id = $1 AND u.hour >= now() - interval '30 days'
   GROUP BY 1 ORDER BY 1 DESC`,
);

const PROFILE = statement(
  'console.application_profile',
  `SELECT u.id::float8 AS owner_id, coalesce(u.name, '') AS owner_name, a.homepage, a.description,
     main.client_id AS test_of
   FROM applications a LEFT JOIN users u ON u.id = a.owner_id
   LEFT JOIN applications main ON main.id = a.test_of WHERE a.client_id = $1`,
);

const LIMIT_CHANGES = statement(
  'console.application_limit_changes',
  `SELECT ${wireTime('at')} AS at, actor, (after ->> 'limit_per_hour')::float8 AS per_hour
   FROM audit_log WHERE target_kind = 'application' AND target_id = $1
     AND action = 'application.limit' ORDER BY id DESC LIMIT 100`,
);

// The first request that waits, and the requests of 30 days.
const SUMMARIES = statement(
  'console.application_summaries',
  `SELECT a.client_id, a.owner_id::float8 AS owner_id, a.test_of IS NOT NULL AS test,
     coalesce((SELECT sum(u.requests) FROM application_usage u WHERE u.application_id = a.id
       AND u.hour >= now() - interval '30 days'), 0)::float8 AS requests,
     w.at AS asked_at, w.reason
   FROM applications a LEFT JOIN LATERAL (
     SELECT ${wireTime('d.at')} AS at, d.reason FROM application_decisions d
     WHERE d.application_id = a.id AND d.state = 'asked' AND NOT d.superseded
     ORDER BY d.id LIMIT 1) w ON true
   WHERE a.client_id = ANY($1::text[])`,
);

/** What the list shows beside an application. */
export interface ApplicationSummary {
  readonly client_id: string;
  readonly owner_id: number | null;
  /** Whether it is the test key of another application. */
  readonly test: boolean;
  /** Requests of the last 30 days. */
  readonly requests: number;
  /** Time and reason of the first request that waits; null for none. */
  readonly asked_at: string | null;
  readonly reason: string | null;
}

/** What a developer states about an application. */
export interface ApplicationProfile {
  /** Null when an administrator created it. */
  readonly owner_id: number | null;
  readonly owner_name: string;
  /** Empty for none. */
  readonly homepage: string;
  readonly description: string;
  /** The client_id of the application whose test key it is. */
  readonly test_of: string | null;
}

/** A change of an application's custom limit. */
export interface LimitChange {
  readonly at: string;
  readonly actor: string;
  /** Null for the limit of its level. */
  readonly per_hour: number | null;
}

/** Requests of an application on a day. */
export interface DayOfRequests {
  readonly day: string;
  readonly requests: number;
  readonly rejected: number;
}

/** Reads profile, usage and limit changes of applications for their pages. */
@Injectable()
export class ConsoleApplicationsRepository {
  constructor(private readonly database: Database) {}

  /** The days of the last 30 days with requests, newest first. */
  listUse(clientId: string): Promise<DayOfRequests[]> {
    return this.database.query<DayOfRequests>(USE, [clientId]);
  }

  async findProfile(clientId: string): Promise<ApplicationProfile | undefined> {
    return (await this.database.query<ApplicationProfile>(PROFILE, [clientId]))[0];
  }

  /** Changes of the custom limit, newest first. */
  listLimitChanges(clientId: string): Promise<LimitChange[]> {
    return this.database.query<LimitChange>(LIMIT_CHANGES, [clientId]);
  }

  /** Summaries by client_id. */
  async listSummaries(
    clientIds: readonly string[],
  ): Promise<ReadonlyMap<string, ApplicationSummary>> {
    const rows = await this.database.query<ApplicationSummary>(SUMMARIES, [clientIds]);
    return new Map(rows.map((row) => [row.client_id, row]));
  }
}
