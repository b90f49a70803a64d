import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Who administers the service, and everything that they change. */
export class Administration1764288000000 implements MigrationInterface {
  name = 'Administration1764288000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(ROLES);
    await db.query(AUDIT);
  }

  async down(db: QueryRunner): Promise<void> {
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
