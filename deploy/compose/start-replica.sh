#!/bin/bash
# Starts a replica: copies the primary at the first start, then follows it by streaming replication.
set -euo pipefail
export PGPASSWORD="$REPLICATION_PASSWORD"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  conninfo="host=primary user=replication application_name=$REPLICA_NAME"
  until gosu postgres pg_basebackup -d "$conninfo" -D "$PGDATA" -X stream -S "$REPLICA_NAME" -R; do
    sleep 2
  done
fi
# After a promotion it waits for no replica, until an administrator configures one.
exec gosu postgres postgres -c max_connections=300 -c synchronous_standby_names=
