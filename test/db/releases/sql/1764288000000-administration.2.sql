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
ALTER TABLE books ADD COLUMN removed_at timestamptz;
CREATE INDEX books_removed ON books (id) WHERE removed_at IS NOT NULL;
ALTER TABLE subjects ADD COLUMN removed_at timestamptz;
CREATE INDEX subjects_removed ON subjects (id) WHERE removed_at IS NOT NULL;
ALTER TABLE celebrities ADD COLUMN removed_at timestamptz;
CREATE INDEX celebrities_removed ON celebrities (id) WHERE removed_at IS NOT NULL;
ALTER TABLE events ADD COLUMN removed_at timestamptz;
CREATE INDEX events_removed ON events (id) WHERE removed_at IS NOT NULL;
ALTER TABLE cities ADD COLUMN removed_at timestamptz;
CREATE INDEX cities_removed ON cities (id) WHERE removed_at IS NOT NULL;
DROP INDEX events_by_end;
CREATE INDEX events_by_end ON events (ends_at)
  INCLUDE (begins_at, id, city_id, type, private, owner_id, removed_at);
DROP INDEX events_by_city;
CREATE INDEX events_by_city ON events (city_id, ends_at)
  INCLUDE (begins_at, id, type, private, owner_id, removed_at);
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
