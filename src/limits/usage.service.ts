import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type CallingApplication } from '../api/access/access';
import { type CounterState } from '../api/limits/limits';
import { detached } from '../api/http/current-request';
import { Database, statement } from '../database/database';

/** Milliseconds that usage is buffered before it is written. */
const GATHER_MS = 5000;
/**
 * Maximum number of buffered entries (one per application and quarter of an hour) while they cannot
 * be written. Usage that would need further entries is dropped.
 */
const MAX_GATHERED = 10_000;
/** Milliseconds for the last write when the service stops. */
const LAST_MS = 2000;

/**
 * Milliseconds that share one entry. The database assigns entries to hours in `TIME_ZONE`; offsets
 * of all zones are multiples of a quarter of an hour.
 */
const QUARTER_MS = 900_000;

const ADD = statement(
  'limits.usage.add',
  `INSERT INTO application_usage AS u (application_id, hour, requests, rejected, peak, peak_limit)
   SELECT n.id, date_trunc('hour', to_timestamp(n.at)), sum(n.requests), sum(n.rejected),
     max(n.peak), (array_agg(n.peak_limit ORDER BY n.peak DESC))[1]
   FROM unnest($1::bigint[], $2::float8[], $3::int[], $4::int[], $5::int[], $6::int[])
     AS n (id, at, requests, rejected, peak, peak_limit)
   JOIN applications a ON a.id = n.id
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

interface Use {
  readonly application: number;
  /** Seconds since 1970, at the beginning of a quarter of an hour. */
  readonly at: number;
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
export class UsageService implements OnModuleDestroy {
  private readonly logger = new Logger(UsageService.name);
  private gathered = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;
  private failing = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  /** Records a request of an application; anonymous requests are not recorded. */
  record(
    application: CallingApplication | undefined,
    counters: readonly CounterState[],
    refusedBy: CounterState | undefined,
  ): void {
    if (!application) return;
    const at = Math.floor(Date.now() / QUARTER_MS) * (QUARTER_MS / 1000);
    const own = counters.find(({ name, limit }) => isHourly(name) && limit !== null);
    this.gather({
      application: application.id,
      at,
      requests: 1,
      rejected: refusedBy ? 1 : 0,
      peak: own?.used ?? 0,
      peakLimit: own?.limit ?? 0,
    });
  }

  private gather(more: Use): void {
    // The write must not run on behalf of the request that starts the timer.
    this.timer ??= detached(() => setTimeout(() => void this.flush(), GATHER_MS)).unref();
    const key = `${more.application}:${more.at}`;
    const use = this.gathered.get(key);
    if (!use) {
      if (this.gathered.size < MAX_GATHERED) this.gathered.set(key, more);
      return;
    }
    use.requests += more.requests;
    use.rejected += more.rejected;
    if (more.peak < use.peak) return;
    use.peak = more.peak;
    use.peakLimit = more.peakLimit;
  }

  /** Writes the buffer after the current write. It never fails: it retries later. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const uses = [...this.gathered.values()];
    if (uses.length === 0) return;
    this.gathered = new Map();
    try {
      await this.database.query(ADD, columnsOf(uses));
    } catch (error) {
      for (const use of uses) this.gather(use);
      this.complain(error);
      return;
    }
    this.failing = false;
  }

  /** Logs a failure once, not every few seconds. */
  private complain(error: unknown): void {
    if (!this.failing) {
      this.logger.warn(
        `cannot store the usage of applications; retrying: ${(error as Error).message}`,
      );
    }
    this.failing = true;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.race([this.flush(), pause(LAST_MS, undefined, { ref: false })]);
    // The process ends, so there is no further attempt.
    clearTimeout(this.timer);
  }

  /**
   * Usage of an application in the last 30 days, including today; days without usage are omitted.
   */
  usageOf(applicationId: number): Promise<DayOfUse[]> {
    return this.database.query<DayOfUse>(OF_APPLICATION, [applicationId]);
  }
}

const isHourly = (name: CounterState['name']): boolean => name === 'user' || name === 'application';

const columnsOf = (uses: readonly Use[]): unknown[] => [
  uses.map(({ application }) => application),
  uses.map(({ at }) => at),
  uses.map(({ requests }) => requests),
  uses.map(({ rejected }) => rejected),
  uses.map(({ peak }) => peak),
  uses.map(({ peakLimit }) => peakLimit),
];
