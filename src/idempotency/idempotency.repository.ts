import { Injectable } from '@nestjs/common';
import { isMissingReference } from '../api/errors/exception-to-error';
import {
  IdempotencyStore,
  type BeginResult,
  type KeyOwner,
  type IdempotentResponse,
} from '../api/writes/idempotency';
import { Database, statement } from '../database/database';
import { applicationDeleted, KeyAttempt } from './key-attempt';

// A key can be reused after a day. It can be reused after a minute when its request has neither
// committed nor responded, because no request takes that long.
const BEGIN = statement(
  'idempotency.begin',
  `INSERT INTO idempotency_keys (application_id, user_id, key, digest) VALUES ($1, $2, $3, $4)
   ON CONFLICT (application_id, user_id, key) DO UPDATE
   SET digest = EXCLUDED.digest, attempt = idempotency_keys.attempt + 1, started_at = now(),
     executed = false, response = NULL
   WHERE idempotency_keys.started_at < now() - interval '24 hours'
     OR (NOT idempotency_keys.executed AND idempotency_keys.response IS NULL
       AND idempotency_keys.started_at < now() - interval '1 minute')
   RETURNING attempt`,
);

const STORED = statement(
  'idempotency.stored',
  `SELECT digest, response, executed AND started_at < now() - interval '1 minute' AS ended
   FROM idempotency_keys
   WHERE application_id = $1 AND user_id = $2 AND key = $3`,
);

/** Idempotency keys, in the same database and transaction as the writes that they protect. */
@Injectable()
export class IdempotencyRepository extends IdempotencyStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async begin(owner: KeyOwner, key: string, digest: Buffer): Promise<BeginResult> {
    const names = [owner.applicationId, owner.userId, key];
    const values = [...names, digest];
    const [begun] = await this.database
      .query<{ attempt: number }>(BEGIN, values)
      .catch((error: unknown) => {
        // The token was checked before the application was deleted.
        throw isMissingReference(error) ? applicationDeleted() : error;
      });
    if (begun) {
      const attempt = new KeyAttempt(this.database, [...names, begun.attempt]);
      return { state: 'fresh', attempt };
    }
    const [stored] = await this.database.query<{
      digest: Buffer;
      response: IdempotentResponse | null;
      /** Whether the request has committed, and its response is no longer being stored. */
      ended: boolean;
    }>(STORED, names);
    // The other request has deleted the key between the two statements.
    if (!stored) return { state: 'running' };
    if (!stored.digest.equals(digest)) return { state: 'other' };
    if (stored.response !== null) return { state: 'responded', response: stored.response };
    return { state: stored.ended ? 'lost' : 'running' };
  }
}
