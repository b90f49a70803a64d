CREATE TABLE transfer_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  kind text NOT NULL,
  place text NOT NULL,
  by_hand boolean NOT NULL,
  manifest text,
  state text NOT NULL DEFAULT 'waiting',
  progress jsonb NOT NULL DEFAULT '[]',
  faults jsonb NOT NULL DEFAULT '[]',
  fault_count integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  cancel_requested boolean NOT NULL DEFAULT false,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  heartbeat_at timestamptz,
  CONSTRAINT transfer_jobs_type CHECK (type IN ('import', 'export')),
  CONSTRAINT transfer_jobs_state
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled'))
);
CREATE INDEX transfer_jobs_to_do ON transfer_jobs (id) WHERE state IN ('waiting', 'running');
CREATE INDEX transfer_jobs_by_manifest ON transfer_jobs (manifest, id);
CREATE TABLE book_sources (
  source text NOT NULL,
  key text NOT NULL,
  book_id bigint NOT NULL,
  made boolean NOT NULL,
  CONSTRAINT book_sources_once PRIMARY KEY (source, key),
  CONSTRAINT book_sources_book FOREIGN KEY (book_id) REFERENCES books (id) ON DELETE CASCADE
);
CREATE INDEX book_sources_by_book ON book_sources (book_id);
