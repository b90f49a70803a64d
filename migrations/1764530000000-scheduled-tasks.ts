import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Tasks that run once for all processes, and indexes for those that remove what has expired. */
export class ScheduledTasks1764530000000 implements MigrationInterface {
  name = 'ScheduledTasks1764530000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(TASKS);
    await db.query(INDEXES);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE scheduled_tasks');
    await db.query(
      'DROP INDEX access_tokens_by_expiry, refresh_tokens_by_expiry, authorization_codes_by_expiry',
    );
  }
}

// The process that runs a task holds its lease, and renews it. A lease that has expired was left by a
// process that was killed.
const TASKS = `
CREATE TABLE scheduled_tasks (
  name text PRIMARY KEY,
  next_run_at timestamptz NOT NULL DEFAULT now(),
  last_started_at timestamptz,
  last_succeeded_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  last_error text NOT NULL DEFAULT '',
  lease_owner uuid,
  lease_expires_at timestamptz,
  CONSTRAINT scheduled_tasks_lease CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL))
);
`;

const INDEXES = `
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);
`;
