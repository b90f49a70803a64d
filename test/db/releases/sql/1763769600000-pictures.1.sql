CREATE TABLE pictures (
  hash bytea PRIMARY KEY,
  extension text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  bytes integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pictures_hash CHECK (octet_length(hash) = 32)
);
CREATE TABLE picture_uses (
  subject text NOT NULL,
  subject_id bigint NOT NULL,
  number integer NOT NULL,
  hash bytea NOT NULL,
  private boolean NOT NULL,
  CONSTRAINT picture_uses_once PRIMARY KEY (subject, subject_id, number),
  CONSTRAINT picture_uses_picture FOREIGN KEY (hash) REFERENCES pictures (hash)
);
CREATE INDEX picture_uses_by_picture ON picture_uses (hash);
CREATE TABLE secrets (
  name text PRIMARY KEY,
  value text NOT NULL
);
