import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { expiredRows, removeExpired } from '../database/expired-rows';
import { ScheduledTask } from '../database/scheduled-task';

/** Grants that one statement looks at. */
const BATCH = 5000;

// Expired access tokens answer differently from unknown ones (D13), for a month.
const EXPIRED = [
  expiredRows(
    'grants.sweep.codes',
    'authorization_codes',
    `expires_at < now() - interval '1 day' AND used_at IS NULL`,
  ),
  expiredRows('grants.sweep.access', 'access_tokens', `expires_at < now() - interval '30 days'`),
  expiredRows('grants.sweep.refresh', 'refresh_tokens', `expires_at < now() - interval '30 days'`),
  expiredRows('grants.sweep.sessions', 'sessions', 'expires_at < now()'),
  expiredRows(
    'grants.sweep.secrets',
    'application_secrets',
    `expires_at < now() - interval '30 days'`,
  ),
];

// Grants are in the order of their ids, those without a token anywhere among them.
const SWEEP_GRANTS = statement(
  'grants.sweep',
  `WITH batch AS MATERIALIZED (SELECT id FROM grants WHERE id > $1
       AND created_at < now() - interval '1 day' ORDER BY id LIMIT $2),
     gone AS (DELETE FROM grants g USING batch b WHERE g.id = b.id
       AND NOT EXISTS (SELECT FROM access_tokens t WHERE t.grant_id = g.id)
       AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.grant_id = g.id))
   SELECT max(id)::float8 AS last FROM batch`,
);

/** Removes tokens, codes, sessions and secrets that have long expired, and grants without tokens. */
@Injectable()
export class Sweeper extends ScheduledTask {
  override readonly taskName = 'expired-grants';

  constructor(private readonly database: Database) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    for (const what of EXPIRED) await removeExpired(this.database, what, signal);
    let last: number | null = 0;
    while (last !== null) {
      signal.throwIfAborted();
      last = await this.sweepGrants(last);
    }
  }

  /** @returns the last grant that was looked at after `last`; null when there was none */
  private async sweepGrants(last: number): Promise<number | null> {
    const [row] = await this.database.query<{ last: number | null }>(SWEEP_GRANTS, [last, BATCH]);
    return row?.last ?? null;
  }
}
