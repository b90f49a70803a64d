import { statement, type Database } from './database';

/** A number that no other advisory lock uses: "task" in ASCII. */
const CLAIM_LOCK = 0x7461736b;

const LOCK = statement('tasks.lock', `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`);

const ADD = statement(
  'tasks.add',
  `INSERT INTO scheduled_tasks (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING`,
);

// The longest overdue task comes first. While a lease is valid, no other task runs. After the clock
// of the database was set back, a task may have started in the future, and is due. A lease that
// ends in more than twice its length is not valid: the factor allows for clocks of two servers.
// Both conditions use `clock_timestamp()`, because the transaction may have waited for another
// claim.
const CLAIM = statement(
  'tasks.claim',
  `UPDATE scheduled_tasks SET lease_owner = $2, last_started_at = now(),
     lease_expires_at = now() + make_interval(secs => $3)
   WHERE name = (SELECT name FROM scheduled_tasks WHERE name = ANY($1)
         AND (next_run_at <= now()
           OR last_started_at > clock_timestamp() + make_interval(secs => $3))
       ORDER BY next_run_at, name LIMIT 1)
     AND NOT EXISTS (SELECT FROM scheduled_tasks WHERE lease_expires_at > now()
       AND lease_expires_at <= clock_timestamp() + 2 * make_interval(secs => $3))
   RETURNING name`,
);

const RENEW = statement(
  'tasks.renew',
  `UPDATE scheduled_tasks SET lease_expires_at = now() + make_interval(secs => $3)
   WHERE name = $1 AND lease_owner = $2 RETURNING 1`,
);

const SUCCEED = statement(
  'tasks.succeed',
  `UPDATE scheduled_tasks SET lease_owner = NULL, lease_expires_at = NULL, failures = 0,
     last_error = '', last_succeeded_at = now(), next_run_at = now() + make_interval(secs => $3)
   WHERE name = $1 AND lease_owner = $2`,
);

const FAIL = statement(
  'tasks.fail',
  `UPDATE scheduled_tasks SET lease_owner = NULL, lease_expires_at = NULL, failures = failures + 1,
     last_error = $4, next_run_at = now() + make_interval(secs => $3)
   WHERE name = $1 AND lease_owner = $2`,
);

const RELEASE = statement(
  'tasks.release',
  `UPDATE scheduled_tasks SET lease_owner = NULL, lease_expires_at = NULL
   WHERE name = $1 AND lease_owner = $2`,
);

const LAST_SUCCESSES = statement(
  'tasks.last',
  `SELECT name, last_succeeded_at AS at FROM scheduled_tasks
   WHERE name = ANY($1) AND last_succeeded_at IS NOT NULL`,
);

/** A task that this process may run. */
export interface Lease {
  readonly name: string;
  /** Identifies this run: a UUID. */
  readonly owner: string;
}

/** The table `scheduled_tasks`: due tasks and their leases. */
export class ScheduledTasksRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims the longest overdue of these tasks.
   *
   * @param seconds lifetime of the lease without renewal
   * @returns undefined when none is due, or another task is running
   */
  async claim(
    names: readonly string[],
    owner: string,
    seconds: number,
  ): Promise<Lease | undefined> {
    const [row] = await this.database.transaction(async (runner) => {
      // Without it, two processes would not see each other's claim. A transaction lock also works
      // through poolers in transaction mode.
      await runner.query(LOCK);
      await runner.query(ADD, [names]);
      return runner.query<{ name: string }>(CLAIM, [names, owner, seconds]);
    });
    return row && { name: row.name, owner };
  }

  /** @returns false when another process has the lease now */
  async renew({ name, owner }: Lease, seconds: number): Promise<boolean> {
    return (await this.database.query(RENEW, [name, owner, seconds])).length > 0;
  }

  /** @param seconds until the next run */
  async succeed({ name, owner }: Lease, seconds: number): Promise<void> {
    await this.database.query(SUCCEED, [name, owner, seconds]);
  }

  /** @param seconds until the next attempt */
  async fail({ name, owner }: Lease, seconds: number, error: string): Promise<void> {
    await this.database.query(FAIL, [name, owner, seconds, error]);
  }

  /** Releases a lease, so that another process can run the task at once. */
  async release({ name, owner }: Lease): Promise<void> {
    await this.database.query(RELEASE, [name, owner]);
  }

  /** When these tasks last succeeded, in any process. */
  lastSuccesses(names: readonly string[]): Promise<{ name: string; at: Date }[]> {
    return this.database.query(LAST_SUCCESSES, [names]);
  }
}
