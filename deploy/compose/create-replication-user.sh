#!/bin/bash
# Runs once, when the primary is initialized: a role for the replicas, and their access. Afterwards writes
# wait for replica1, also while it is away.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$REPLICATION_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('replica1'), pg_create_physical_replication_slot('replica2');
SQL
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
# Not earlier: the initialization itself would wait for a replica.
echo "synchronous_standby_names = 'replica1'" >>"$PGDATA/postgresql.conf"
