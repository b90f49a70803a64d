#!/bin/bash
# Starts a replica: copies the primary at the first start, then follows it by streaming replication.
set -euo pipefail
export PGPASSWORD="$REPLICATION_PASSWORD"
data="$PGDATA/cluster"
# Volumes of earlier versions have no such folder.
if [ -s "$PGDATA/PG_VERSION" ]; then data="$PGDATA"; fi
if [ ! -d "$data" ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  conninfo="host=primary user=replication application_name=$REPLICA_NAME"
  # An interrupted copy cannot be used: only a complete one gets the name of the folder.
  until rm -rf "$data.new" && gosu postgres pg_basebackup -d "$conninfo" -D "$data.new" -X stream -S "$REPLICA_NAME" -R; do
    sleep 2
  done
  mv "$data.new" "$data"
fi
# After a promotion it waits for no replica, until an administrator configures one.
exec gosu postgres postgres -D "$data" -c max_connections=300 -c synchronous_standby_names=
