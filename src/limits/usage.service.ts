import { Injectable, Logger } from '@nestjs/common';
import { errorText } from '../api/errors/error-text';
import { type CallingApplication } from '../api/access/access';
import { type CounterState } from '../api/limits/limits';
import { Database, statement } from '../database/database';
import { heldApplicationsSql } from './held-applications';
import { BufferedWriter } from './buffered-writer';

/**
 * Maximum number of buffered entries (one per application and quarter of an hour) while they cannot
 * be written. Usage that would need further entries is dropped.
 */
const MAX_GATHERED = 10_000;

/**
 * Milliseconds that share one entry. The database assigns entries to hours in `TIME_ZONE`; offsets
 * of all zones are multiples of a quarter of an hour.
 */
const QUARTER_MS = 900_000;

const ADD = statement(
  'limits.usage.add',
  `WITH ${heldApplicationsSql('$1::bigint[]')}
   INSERT INTO application_usage AS u (application_id, hour, requests, rejected, peak, peak_limit)
   SELECT n.id, date_trunc('hour', to_timestamp(n.at)), sum(n.requests), sum(n.rejected),
     max(n.peak), (array_agg(n.peak_limit ORDER BY n.peak DESC))[1]
   FROM unnest($1::bigint[], $2::float8[], $3::int[], $4::int[], $5::int[], $6::int[])
     AS n (id, at, requests, rejected, peak, peak_limit)
   JOIN held a ON a.id = n.id
   GROUP BY 1, 2 ORDER BY 1, 2
   ON CONFLICT (application_id, hour) DO UPDATE SET requests = u.requests + excluded.requests,
     rejected = u.rejected + excluded.rejected, peak = greatest(u.peak, excluded.peak),
     peak_limit = CASE WHEN excluded.peak >= u.peak THEN excluded.peak_limit ELSE u.peak_limit END`,
);

const OF_APPLICATION = statement(
  'limits.usage.of',
  `SELECT hour::date::text AS day, sum(requests)::int AS requests, sum(rejected)::int AS rejected,
     max(peak) AS peak, (array_agg(peak_limit ORDER BY peak DESC, hour DESC))[1] AS "peakLimit"
   FROM application_usage
   WHERE application_id = $1 AND hour >= date_trunc('day', now()) - interval '29 days'
   GROUP BY 1 ORDER BY 1`,
);

/** More than the quarters of an hour since 1970: key of an application and a quarter. */
const QUARTERS = 10_000_000;

interface Use {
  readonly application: number;
  /** Number of the quarter of an hour since 1970. */
  readonly quarter: number;
  requests: number;
  rejected: number;
  peak: number;
  peakLimit: number;
}

/** Usage of an application on a day. */
export interface DayOfUse {
  /** `yyyy-MM-dd` in `TIME_ZONE`. */
  readonly day: string;
  /** All requests, including rejected ones. */
  readonly requests: number;
  /** Requests rejected by a limit. */
  readonly rejected: number;
  /** Highest value of one of its hourly counters, and its limit; 0 where none counted. */
  readonly peak: number;
  readonly peakLimit: number;
}

/** Usage of applications, buffered in memory and written periodically. */
@Injectable()
export class UsageService extends BufferedWriter {
  private readonly logger = new Logger(UsageService.name);
  private gathered = new Map<number, Use>();
  private failing = false;

  constructor(private readonly database: Database) {
    super();
  }

  /** Records a request of an application; anonymous requests are not recorded. */
  record(
    application: CallingApplication | undefined,
    counters: readonly CounterState[],
    refusedBy: CounterState | undefined,
  ): void {
    if (!application) return;
    const use = this.useOf(application.id, Math.floor(Date.now() / QUARTER_MS));
    if (!use) return;
    use.requests += 1;
    if (refusedBy) use.rejected += 1;
    for (const { name, limit, used } of counters) {
      if (limit === null || !isHourly(name)) continue;
      setPeak(use, used, limit);
      return;
    }
  }

  /** The buffered entry; undefined when there are too many. */
  private useOf(application: number, quarter: number): Use | undefined {
    this.schedule();
    const key = application * QUARTERS + quarter;
    const existing = this.gathered.get(key);
    if (existing || this.gathered.size >= MAX_GATHERED) return existing;
    const use = { application, quarter, requests: 0, rejected: 0, peak: 0, peakLimit: 0 };
    this.gathered.set(key, use);
    return use;
  }

  private addAgain({ application, quarter, requests, rejected, peak, peakLimit }: Use): void {
    const use = this.useOf(application, quarter);
    if (!use) return;
    use.requests += requests;
    use.rejected += rejected;
    setPeak(use, peak, peakLimit);
  }

  /** Keeps the buffer when the write fails, and retries later. */
  protected override async write(): Promise<void> {
    const uses = [...this.gathered.values()];
    if (uses.length === 0) return;
    this.gathered = new Map();
    try {
      await this.database.query(ADD, columnsOf(uses));
    } catch (error) {
      for (const use of uses) this.addAgain(use);
      this.complain(error);
      return;
    }
    this.failing = false;
  }

  /** Logs a failure once, not every few seconds. */
  private complain(error: unknown): void {
    if (!this.failing) {
      this.logger.warn(`cannot store the usage of applications; retrying: ${errorText(error)}`);
    }
    this.failing = true;
  }

  /**
   * Usage of an application in the last 30 days, including today; days without usage are omitted.
   */
  usageOf(applicationId: number): Promise<DayOfUse[]> {
    return this.database.query<DayOfUse>(OF_APPLICATION, [applicationId]);
  }
}

function setPeak(use: Use, peak: number, limit: number): void {
  if (peak < use.peak) return;
  use.peak = peak;
  use.peakLimit = limit;
}

const isHourly = (name: CounterState['name']): boolean => name === 'user' || name === 'application';

const columnsOf = (uses: readonly Use[]): unknown[] => [
  uses.map(({ application }) => application),
  uses.map(({ quarter }) => quarter * (QUARTER_MS / 1000)),
  uses.map(({ requests }) => requests),
  uses.map(({ rejected }) => rejected),
  uses.map(({ peak }) => peak),
  uses.map(({ peakLimit }) => peakLimit),
];
