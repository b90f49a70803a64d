ALTER TABLE users
  ADD COLUMN role text NOT NULL DEFAULT 'member',
  ADD CONSTRAINT users_role CHECK (role IN ('member', 'administrator'));
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';
CREATE TRIGGER users_role_changed AFTER UPDATE OF role ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_callers_changed();
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
