import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { DatabaseSettings } from './database-settings';
import { IntegerSetting } from './setting-types';

/** Settings of connections from clients and proxies, and of their end; part of all settings. */
export class ConnectionSettings extends DatabaseSettings {
  /**
   * Seconds after SIGTERM or Ctrl-C in which `/readyz` is 503 and everything is still served; 5 in
   * production, else 0, when not given.
   */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(600)
  LAME_DUCK_SECONDS?: number;

  /** Seconds that a connection is kept open for its next request. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(3600)
  KEEP_ALIVE_SECONDS = 75;

  /** Seconds that running requests get to finish after the lame-duck phase. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(600)
  DRAIN_SECONDS = 10;
}

/** Those of them without a default. */
export const CONNECTION_SETTINGS_UNSET = ['LAME_DUCK_SECONDS'] as const;
