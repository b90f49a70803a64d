import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { DatabaseSettings } from './database-settings';
import { IntegerSetting } from './setting-types';

/** Settings of client and proxy connections and of shutdown; part of `Settings`. */
export class ConnectionSettings extends DatabaseSettings {
  /**
   * Seconds after SIGTERM or Ctrl-C in which `/readyz` responds 503 and all else is still served.
   * The default is 5 in production, otherwise 0.
   */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(600)
  LAME_DUCK_SECONDS?: number;

  /** Seconds that an idle connection stays open for its next request. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(3600)
  KEEP_ALIVE_SECONDS = 75;

  /** Seconds that running requests have to finish after the lame-duck phase. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(600)
  DRAIN_SECONDS = 10;
}

/** Connection settings without a default. */
export const CONNECTION_SETTINGS_UNSET = ['LAME_DUCK_SECONDS'] as const;
