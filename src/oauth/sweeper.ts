import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';
import { expiredRows, removeExpired } from '../database/expired-rows';
import { ScheduledTask } from '../database/scheduled-task';

/** Number of grants per statement. */
const BATCH = 5000;

// For a month, expired access tokens get another error than tokens that are not found (D13).
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

// Scans all grants in id order, because grants without tokens may be anywhere.
const SWEEP_GRANTS = statement(
  'grants.sweep',
  `WITH batch AS MATERIALIZED (SELECT id FROM grants WHERE id > $1
       AND created_at < now() - interval '1 day' ORDER BY id LIMIT $2),
     gone AS (DELETE FROM grants g USING batch b WHERE g.id = b.id
       AND NOT EXISTS (SELECT FROM access_tokens t WHERE t.grant_id = g.id)
       AND NOT EXISTS (SELECT FROM refresh_tokens r WHERE r.grant_id = g.id))
   SELECT max(id)::float8 AS last FROM batch`,
);

/** Deletes expired tokens, codes, sessions and secrets, and grants without tokens. */
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

  /** @returns the last scanned grant after `last`; null when there are no more */
  private async sweepGrants(last: number): Promise<number | null> {
    const [row] = await this.database.query<{ last: number | null }>(SWEEP_GRANTS, [last, BATCH]);
    return row?.last ?? null;
  }
}
