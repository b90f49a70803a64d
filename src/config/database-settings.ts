import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { IntegerSetting } from './setting-types';
import { TransferSettings } from './transfer-settings';

/** A day. Timers of Node end at once beyond 24 days. */
const MAX_TIMEOUT_MS = 86_400_000;

/** Settings of the connections to PostgreSQL; part of `Settings`. */
export class DatabaseSettings extends TransferSettings {
  /** Address of PostgreSQL; without it an embedded server is started under DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, {
    message: 'DATABASE_URL must be a postgres:// or postgresql:// address',
  })
  DATABASE_URL?: string;

  /** Address without a pooler, for work that needs a session of its own; default `DATABASE_URL`. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, {
    message: 'DATABASE_DIRECT_URL must be a postgres:// or postgresql:// address',
  })
  DATABASE_DIRECT_URL?: string;

  /**
   * `session`: a connection to DATABASE_URL is one PostgreSQL session (a direct connection, or a
   * pooler in session mode). `transaction`: a pooler may use another session for each transaction.
   */
  @IsIn(['session', 'transaction'])
  DATABASE_POOLING: 'session' | 'transaction' = 'session';

  /** Addresses of read replicas, separated by spaces or commas between addresses. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+([\s,]+postgres(ql)?:\/\/\S+)*$/, {
    message: 'DATABASE_REPLICA_URLS must be postgres:// addresses, separated by spaces',
  })
  DATABASE_REPLICA_URLS?: string;

  /** Maximum age in milliseconds of the data of a replica that serves reads. */
  @IntegerSetting()
  @IsInt()
  @Min(200)
  @Max(600000)
  REPLICA_MAX_LAG_MS = 1000;

  /** DATABASE_REPLICA_URLS as a list. */
  get replicaUrls(): string[] {
    return (this.DATABASE_REPLICA_URLS ?? '')
      .split(/[\s,]+(?=postgres)/)
      .filter((url) => url !== '');
  }

  /** Maximum number of connections of one process. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(500)
  DATABASE_POOL = 10;

  /**
   * Maximum number of requests that wait for a connection; further ones get 503 at once (D5). Areas of
   * which none waits may add one each.
   */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(100000)
  DATABASE_QUEUE = 500;

  /** Milliseconds that a request waits for a free connection before it gets 503. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(MAX_TIMEOUT_MS)
  DATABASE_QUEUE_TIMEOUT_MS = 750;

  /** Milliseconds that opening a connection may take before a request fails with 503 (D5). */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(MAX_TIMEOUT_MS)
  DATABASE_CONNECT_TIMEOUT_MS = 5000;

  /**
   * Milliseconds that a statement of a request may run; 0 means no limit. Record changes by
   * administrators have at least ten minutes.
   */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(MAX_TIMEOUT_MS)
  DATABASE_STATEMENT_TIMEOUT_MS = 10000;

  /** Milliseconds that a statement waits for a lock; 0 means no limit. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(MAX_TIMEOUT_MS)
  DATABASE_LOCK_TIMEOUT_MS = 5000;

  /**
   * Milliseconds after which PostgreSQL ends a session that is idle in a transaction, and its locks with
   * it: when a connection is lost silently, only the client notices. Transactions of requests never
   * pause for that long; imports, full exports and `recount` set their own limits.
   */
  @IntegerSetting()
  @IsInt()
  @Min(1000)
  @Max(MAX_TIMEOUT_MS)
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS = 10000;

  /** Seconds after which a connection is replaced by a new one; 0 means never. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(86400)
  DATABASE_CONNECTION_LIFETIME_SECONDS = 1800;
}

/** Database settings without a default. */
export const DATABASE_SETTINGS_UNSET = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
] as const;

/** Errors in the combination of database settings. */
export function databaseSettingErrors(settings: DatabaseSettings): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING } = settings;
  const faults: string[] = [];
  if (DATABASE_POOLING === 'transaction' && DATABASE_DIRECT_URL === undefined) {
    faults.push(
      'DATABASE_POOLING=transaction requires DATABASE_DIRECT_URL, the address of PostgreSQL without ' +
        'the pooler, for notifications, locks, migrations and jobs',
    );
  }
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined) {
    faults.push('DATABASE_DIRECT_URL requires DATABASE_URL');
  }
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const attrs = /[?&]target_session_attrs=([^&]*)/.exec(settings[name] ?? '')?.[1];
    if (attrs !== undefined && attrs !== 'read-write' && attrs !== 'primary') {
      faults.push(`${name} must have target_session_attrs=read-write, because the service writes`);
    }
  }
  if (settings.DATABASE_REPLICA_URLS !== undefined && DATABASE_URL === undefined) {
    faults.push('DATABASE_REPLICA_URLS requires DATABASE_URL');
  }
  return faults;
}
