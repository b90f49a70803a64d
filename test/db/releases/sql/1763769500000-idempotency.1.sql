CREATE TABLE idempotency_keys (
  application_id bigint NOT NULL,
  user_id bigint NOT NULL,
  key text NOT NULL,
  digest bytea NOT NULL,
  attempt integer NOT NULL DEFAULT 1,
  carried_out boolean NOT NULL DEFAULT false,
  answer json,
  started_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_once PRIMARY KEY (application_id, user_id, key),
  CONSTRAINT idempotency_keys_application FOREIGN KEY (application_id)
    REFERENCES applications (id) ON DELETE CASCADE,
  CONSTRAINT idempotency_keys_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_start ON idempotency_keys (started_at);
