import { Injectable, Logger } from '@nestjs/common';
import { errorText } from '../api/errors/error-text';
import { Database, statement } from '../database/database';
import { heldApplicationsSql } from './held-applications';
import { BufferedWriter } from './buffered-writer';

/** Maximum number of buffered pairs of application and operation; further ones are not counted. */
const MAX_GATHERED = 10_000;

const ADD = statement(
  'limits.deprecated.add',
  `WITH ${heldApplicationsSql('$1::bigint[]')}
   INSERT INTO deprecated_requests AS d (application_id, operation, day, requests)
   SELECT n.id, n.operation, current_date, n.requests
   FROM unnest($1::bigint[], $2::text[], $3::int[]) AS n (id, operation, requests)
   JOIN held a ON a.id = n.id
   ORDER BY 1, 2
   ON CONFLICT (application_id, operation, day) DO UPDATE SET requests = d.requests + excluded.requests`,
);

const OF_APPLICATION = statement(
  'limits.deprecated.of',
  `SELECT operation, sum(requests)::int AS requests, max(day)::text AS "lastDay"
   FROM deprecated_requests WHERE application_id = $1 AND day > current_date - 30
   GROUP BY 1 ORDER BY 1`,
);

interface Gathered {
  readonly application: number;
  readonly operation: string;
  requests: number;
}

/** Requests of an application to a deprecated operation in the last 30 days. */
export interface DeprecatedUse {
  /** Method and path with parameters as `:name`. */
  readonly operation: string;
  readonly requests: number;
  /** `yyyy-MM-dd` in `TIME_ZONE`. */
  readonly lastDay: string;
}

/** Counts requests to deprecated operations by application, buffered and written periodically (D137). */
@Injectable()
export class DeprecatedUsageService extends BufferedWriter {
  private readonly logger = new Logger(DeprecatedUsageService.name);
  private gathered = new Map<string, Gathered>();

  constructor(private readonly database: Database) {
    super();
  }

  /** Counts a request. @param operation method and path of a deprecated route */
  record(application: number, operation: string): void {
    this.schedule();
    const key = `${application} ${operation}`;
    const existing = this.gathered.get(key);
    if (existing) existing.requests += 1;
    else if (this.gathered.size < MAX_GATHERED) {
      this.gathered.set(key, { application, operation, requests: 1 });
    }
  }

  /** Requests whose write fails are not counted. */
  protected override async write(): Promise<void> {
    const all = [...this.gathered.values()];
    if (all.length === 0) return;
    this.gathered = new Map();
    try {
      await this.database.query(ADD, [
        all.map(({ application }) => application),
        all.map(({ operation }) => operation),
        all.map(({ requests }) => requests),
      ]);
    } catch (error) {
      this.logger.warn(`cannot count deprecated requests: ${errorText(error)}`);
    }
  }

  /** Deprecated operations that an application called in the last 30 days. */
  usesOf(applicationId: number): Promise<DeprecatedUse[]> {
    return this.database.query<DeprecatedUse>(OF_APPLICATION, [applicationId]);
  }
}
