CREATE TABLE limits (
  name text PRIMARY KEY,
  value integer NOT NULL,
  CONSTRAINT limits_value CHECK (value >= 0)
);
CREATE FUNCTION tell_limits_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('limits_changed', '');
  RETURN NULL;
END $$;
CREATE TRIGGER limits_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON limits
  FOR EACH STATEMENT EXECUTE FUNCTION tell_limits_changed();
ALTER TABLE applications
  ADD COLUMN limit_per_hour integer,
  ADD CONSTRAINT applications_limit CHECK (limit_per_hour >= 0);
CREATE TABLE application_usage (
  application_id bigint NOT NULL,
  hour timestamptz NOT NULL,
  calls integer NOT NULL,
  refused integer NOT NULL,
  peak integer NOT NULL,
  peak_limit integer NOT NULL,
  CONSTRAINT application_usage_once PRIMARY KEY (application_id, hour),
  CONSTRAINT application_usage_application FOREIGN KEY (application_id)
    REFERENCES applications (id) ON DELETE CASCADE
);
CREATE INDEX application_usage_by_hour ON application_usage (hour);
CREATE FUNCTION tell_callers_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callers_changed', '');
  RETURN NULL;
END $$;
CREATE FUNCTION tell_tokens_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM (SELECT 1 FROM changed LIMIT 101) few) > 100 THEN
    PERFORM pg_notify('callers_changed', '');
  ELSE
    PERFORM pg_notify('callers_changed', encode(hash, 'hex')) FROM changed;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER applications_changed AFTER UPDATE OR DELETE ON applications
  FOR EACH STATEMENT EXECUTE FUNCTION tell_callers_changed();
CREATE TRIGGER users_changed AFTER UPDATE OF blocked_at OR DELETE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION tell_callers_changed();
CREATE TRIGGER access_tokens_changed AFTER UPDATE ON access_tokens
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_tokens_changed();
CREATE TRIGGER access_tokens_gone AFTER DELETE ON access_tokens
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_tokens_changed();
