import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { IntegerSetting } from './setting-types';
import { TransferSettings } from './transfer-settings';

/** Settings of the connections to PostgreSQL; part of all settings. */
export class DatabaseSettings extends TransferSettings {
  /** PostgreSQL to use; when absent an embedded one is started under DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, {
    message: 'DATABASE_URL must be a postgres:// or postgresql:// address',
  })
  DATABASE_URL?: string;

  /** PostgreSQL itself, for what needs a session of its own; `DATABASE_URL` when absent. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, {
    message: 'DATABASE_DIRECT_URL must be a postgres:// or postgresql:// address',
  })
  DATABASE_DIRECT_URL?: string;

  /**
   * Whether a connection to DATABASE_URL is one session of PostgreSQL (itself, or a pooler in session
   * mode), or gets another one for each transaction (a pooler in transaction mode).
   */
  @IsIn(['session', 'transaction'])
  DATABASE_POOLING: 'session' | 'transaction' = 'session';

  /** Connections that one process holds at most. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(500)
  DATABASE_POOL = 10;

  /** Requests that wait for a connection at most; further ones are refused with 503 at once (D5). */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(100000)
  DATABASE_QUEUE = 500;

  /** Milliseconds that a request waits for a free connection before it is refused with 503. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  DATABASE_QUEUE_TIMEOUT_MS = 750;

  /** Milliseconds that opening a connection may take before a request fails with 503 (D5). */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  DATABASE_CONNECT_TIMEOUT_MS = 5000;

  /** Milliseconds that one statement of a request may run; 0 is no limit. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  DATABASE_STATEMENT_TIMEOUT_MS = 10000;

  /** Milliseconds that a statement waits for a lock; 0 is no limit. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  DATABASE_LOCK_TIMEOUT_MS = 5000;

  /** Seconds after which a connection is replaced by a new one; 0 is never. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(86400)
  DATABASE_CONNECTION_LIFETIME_SECONDS = 1800;
}

/** Those of them without a default. */
export const DATABASE_SETTINGS_UNSET = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const;

/** What is wrong with settings of the database together. */
export function databaseSettingErrors(settings: DatabaseSettings): string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING } = settings;
  const faults: string[] = [];
  if (DATABASE_POOLING === 'transaction' && DATABASE_DIRECT_URL === undefined) {
    faults.push(
      'DATABASE_POOLING=transaction needs DATABASE_DIRECT_URL, the address of PostgreSQL without ' +
        'the pooler, for notifications, locks, migrations and jobs',
    );
  }
  if (DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined) {
    faults.push('DATABASE_DIRECT_URL must go with DATABASE_URL');
  }
  return faults;
}
