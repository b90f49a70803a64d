import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Who administers the service, and everything that they change. */
export class Administration1764288000000 implements MigrationInterface {
  name = 'Administration1764288000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(ROLES);
    await db.query(AUDIT);
    for (const table of REMOVABLE) {
      await db.query(`ALTER TABLE ${table} ADD COLUMN removed_at timestamptz`);
      await db.query(`CREATE INDEX ${table}_removed ON ${table} (id) WHERE removed_at IS NOT NULL`);
    }
    await db.query(EVENT_INDEXES);
    await db.query(REPORTS);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE reports');
    await db.query(FORMER_EVENT_INDEXES);
    for (const table of REMOVABLE) await db.query(`ALTER TABLE ${table} DROP COLUMN removed_at`);
    await db.query('DROP TABLE audit_log');
    await db.query('DROP FUNCTION refuse_audit_change');
    await db.query('DROP TRIGGER users_role_changed ON users');
    await db.query('ALTER TABLE users DROP COLUMN role');
  }
}

// Servers remember callers with their role: a change is told to all of them.
const ROLES = `
ALTER TABLE users
  ADD COLUMN role text NOT NULL DEFAULT 'member',
  ADD CONSTRAINT users_role CHECK (role IN ('member', 'administrator'));
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';
CREATE TRIGGER users_role_changed AFTER UPDATE OF role ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_callers_changed();
`;

// What has been written down stays: nothing in the service changes or removes it. The actor's name
// stays readable when the user is gone.
const AUDIT = `
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id bigint,
  actor text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text
);
CREATE INDEX audit_log_by_target ON audit_log (target_kind, target_id, id DESC);
CREATE INDEX audit_log_by_actor ON audit_log (actor, id DESC);
CREATE INDEX audit_log_by_time ON audit_log (at DESC, id DESC);
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to';
END $$;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
`;

// What administrators remove stays in its place, as others have written about it, and is shown no
// more. A removed book is a stub, too: that is what reads know already.
const REMOVABLE = ['books', 'subjects', 'celebrities', 'events', 'cities'] as const;

// These indexes hold all that lists choose by, so that totals are counted without looking at the rows.
const eventIndexes = (more: string): string => `
DROP INDEX events_by_end;
CREATE INDEX events_by_end ON events (ends_at)
  INCLUDE (begins_at, id, city_id, type, private, owner_id${more});
DROP INDEX events_by_city;
CREATE INDEX events_by_city ON events (city_id, ends_at)
  INCLUDE (begins_at, id, type, private, owner_id${more});
`;
const EVENT_INDEXES = eventIndexes(', removed_at');
const FORMER_EVENT_INDEXES = eventIndexes('');

// What users want administrators to look at. Of one thing, each says so once until it is looked at.
const REPORTS = `
CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  target_id bigint NOT NULL,
  user_id bigint NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT date_trunc('second', now()),
  decision text,
  decided_at timestamptz,
  decided_by text,
  comment text NOT NULL DEFAULT '',
  CONSTRAINT reports_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT reports_decision CHECK (decision IN ('dismissed', 'hidden')),
  CONSTRAINT reports_decided CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX reports_once ON reports (user_id, kind, target_id) WHERE decision IS NULL;
CREATE INDEX reports_by_state ON reports (decision, id);
`;
