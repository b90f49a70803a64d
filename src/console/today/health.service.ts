import { statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { lastBackup } from '../../backup/last-backup';
import { Settings } from '../../config/settings';
import { version } from '../../config/version';
import { Database, statement } from '../../database/database';
import { MIGRATIONS } from '../../database/migrations';
import { SharedCounters } from '../../limits/shared-counters';
import { timeWriter } from '../../web/days';
import { CachedValue } from './cached-value';

const DATABASE = statement(
  'console.health',
  `SELECT current_setting('server_version') AS postgres,
     pg_database_size(current_database())::float8 AS bytes,
     (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database())::int AS connections,
     current_setting('max_connections')::int AS "maxConnections",
     (SELECT count(*) FROM migrations)::int AS migrations,
     (SELECT coalesce(json_agg(json_build_object('name', application_name, 'isUsable', true,
         'lagSeconds', extract(epoch FROM replay_lag)) ORDER BY application_name), '[]')
       FROM pg_stat_replication) AS standbys`,
);

const PICTURES = statement(
  'console.pictures',
  'SELECT count(*)::float8 AS count, coalesce(sum(bytes), 0)::float8 AS bytes FROM pictures',
);

/** Milliseconds for which results are cached: both statements read files or a whole table. */
const DATABASE_TTL_MS = 5000;
const PICTURES_TTL_MS = 60_000;

/** A server that replicates the database. */
export interface ReplicaHealth {
  readonly name: string;
  readonly isUsable: boolean;
  /** Undefined or null when unknown. */
  readonly lagSeconds?: number | null;
}

interface DatabaseHealth {
  readonly postgres: string;
  readonly bytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** Number of applied migrations. */
  readonly migrations: number;
  /** Standby servers, which need not be replicas that this service reads from. */
  readonly standbys: readonly ReplicaHealth[];
}

/** Number of files and their bytes. */
interface PictureHealth {
  readonly count: number;
  readonly bytes: number;
}

/** The state of the service and of what it needs; undefined where it cannot be read. */
export interface Health {
  readonly version: string;
  readonly database: DatabaseHealth | undefined;
  /** Number of migrations that this version has. */
  readonly knownMigrations: number;
  readonly replicas: readonly ReplicaHealth[];
  readonly redis: SharedCounters['redisState'];
  /** Bytes of the disk with DATA_DIR. */
  readonly disk: { readonly free: number; readonly total: number } | undefined;
  readonly pictures: PictureHealth | undefined;
  /** Time of the last backup by this service in its time zone; undefined for none. */
  readonly backup: string | undefined;
}

/** Checks the service for the first page of the console. */
@Injectable()
export class HealthService {
  private readonly version = version();
  private readonly database: CachedValue<DatabaseHealth | undefined>;
  private readonly pictures: CachedValue<PictureHealth | undefined>;
  private readonly write: (time: Date) => string;

  constructor(
    private readonly source: Database,
    private readonly counters: SharedCounters,
    private readonly settings: Settings,
  ) {
    this.database = new CachedValue(
      DATABASE_TTL_MS,
      async () => (await source.query<DatabaseHealth>(DATABASE))[0],
    );
    this.pictures = new CachedValue(
      PICTURES_TTL_MS,
      async () => (await source.query<PictureHealth>(PICTURES))[0],
    );
    this.write = timeWriter(settings.TIME_ZONE);
  }

  async getHealth(): Promise<Health> {
    const [database, pictures, disk, backup] = await Promise.all([
      this.database.get(),
      this.pictures.get(),
      this.findDisk(),
      lastBackup(this.settings.dataDir),
    ]);
    const replicas = this.source.replicas?.reports() ?? [];
    return {
      version: this.version,
      database,
      knownMigrations: MIGRATIONS.length,
      replicas: replicas.length > 0 ? replicas : (database?.standbys ?? []),
      redis: this.counters.redisState,
      disk,
      pictures,
      backup: backup === undefined ? undefined : this.write(new Date(backup)),
    };
  }

  /** Undefined when DATA_DIR does not exist. */
  private async findDisk(): Promise<Health['disk']> {
    try {
      const { bavail, blocks, bsize } = await statfs(this.settings.dataDir);
      return { free: bavail * bsize, total: blocks * bsize };
    } catch {
      return undefined;
    }
  }
}
