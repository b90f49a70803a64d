CREATE TABLE passwords (
  user_id bigint PRIMARY KEY,
  hash text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT passwords_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT sessions_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);
ALTER TABLE applications
  ADD COLUMN owner_id bigint,
  ADD COLUMN redirect_uris text[] NOT NULL DEFAULT '{}',
  ADD COLUMN public boolean NOT NULL DEFAULT false,
  ADD COLUMN blocked_reason text NOT NULL DEFAULT '',
  ADD CONSTRAINT applications_owner FOREIGN KEY (owner_id) REFERENCES users (id)
    ON DELETE SET NULL;
CREATE INDEX applications_by_owner ON applications (owner_id);
CREATE TABLE application_secrets (
  hash bytea PRIMARY KEY,
  application_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  CONSTRAINT application_secrets_application FOREIGN KEY (application_id)
    REFERENCES applications (id) ON DELETE CASCADE
);
CREATE INDEX application_secrets_by_application ON application_secrets (application_id);
CREATE TABLE application_decisions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  application_id bigint NOT NULL,
  subject text NOT NULL,
  state text NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL DEFAULT '',
  at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT application_decisions_application FOREIGN KEY (application_id)
    REFERENCES applications (id) ON DELETE CASCADE,
  CONSTRAINT application_decisions_state CHECK (
    state IN ('asked', 'approved', 'declined', 'suspended', 'blocked', 'unblocked')
  )
);
CREATE INDEX application_decisions_by_application
  ON application_decisions (application_id, subject, id DESC);
CREATE TABLE grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  application_id bigint NOT NULL,
  user_id bigint NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CONSTRAINT grants_application FOREIGN KEY (application_id)
    REFERENCES applications (id) ON DELETE CASCADE,
  CONSTRAINT grants_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX grants_by_user ON grants (user_id, application_id);
CREATE INDEX grants_by_application ON grants (application_id);
CREATE TABLE authorization_codes (
  hash bytea PRIMARY KEY,
  grant_id bigint NOT NULL,
  redirect_uri text,
  code_challenge text,
  scopes text[] NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  CONSTRAINT authorization_codes_grant FOREIGN KEY (grant_id)
    REFERENCES grants (id) ON DELETE CASCADE
);
CREATE INDEX authorization_codes_by_grant ON authorization_codes (grant_id);
CREATE TABLE refresh_tokens (
  hash bytea PRIMARY KEY,
  grant_id bigint NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT refresh_tokens_grant FOREIGN KEY (grant_id) REFERENCES grants (id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
ALTER TABLE access_tokens
  ADD COLUMN grant_id bigint,
  ADD CONSTRAINT access_tokens_grant FOREIGN KEY (grant_id) REFERENCES grants (id)
    ON DELETE CASCADE;
CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id);
