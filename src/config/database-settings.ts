import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { WholeNumber } from './setting-types';
import { TransferSettings } from './transfer-settings';

/** Settings of the connections to PostgreSQL; part of all settings. */
export class DatabaseSettings extends TransferSettings {
  /** PostgreSQL to use; when absent an embedded one is started under DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/\S+$/, {
    message: 'DATABASE_URL must be a postgres:// or postgresql:// address',
  })
  DATABASE_URL?: string;

  /** Connections that one process holds at most. */
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(500)
  DATABASE_POOL = 10;

  /** Milliseconds to wait for a connection before a request fails with 503 (D5). */
  @WholeNumber()
  @IsInt()
  @Min(1)
  DATABASE_CONNECT_TIMEOUT_MS = 5000;

  /** Milliseconds that one statement of a request may run; 0 is no limit. */
  @WholeNumber()
  @IsInt()
  @Min(0)
  DATABASE_STATEMENT_TIMEOUT_MS = 10000;

  /** Milliseconds that a statement waits for a lock; 0 is no limit. */
  @WholeNumber()
  @IsInt()
  @Min(0)
  DATABASE_LOCK_TIMEOUT_MS = 5000;

  /** Seconds after which a connection is replaced by a new one; 0 is never. */
  @WholeNumber()
  @IsInt()
  @Min(0)
  @Max(86400)
  DATABASE_CONNECTION_LIFETIME_SECONDS = 1800;
}

/** Those of them without a default. */
export const DATABASE_SETTINGS_UNSET = ['DATABASE_URL'] as const;
