import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Limit, IntegerSetting } from './setting-types';

/** Settings of how often callers may call (D16); part of all settings. */
export class LimitSettings {
  /** Calls an hour of an address without token and apikey (D16); of every limit 0 is none. */
  @Limit()
  LIMIT_ANONYMOUS = 150;

  /** Calls an hour of an address with an application's apikey. */
  @Limit()
  LIMIT_APIKEY = 500;

  /** Calls an hour of a user through an application of level L1, or of that application itself. */
  @Limit()
  LIMIT_USER_L1 = 500;

  /** The same for an application of level L2. */
  @Limit()
  LIMIT_USER_L2 = 1000;

  /** The same for an application of level L3. */
  @Limit()
  LIMIT_USER_L3 = 2000;

  /** Calls an hour of an address with tokens or apikeys, whosever they are (D52). */
  @Limit()
  LIMIT_ADDRESS = 5000;

  /** Calls a minute of a caller in the basic movie tier. */
  @Limit()
  LIMIT_MOVIE_BASIC = 40;

  /** While Redis is away: `local` counts in each process by itself, `refuse` answers 503. */
  @IsIn(['local', 'refuse'])
  LIMITS_WITHOUT_REDIS: 'local' | 'refuse' = 'local';

  /** Counters that a process keeps in memory at most, some 130 bytes each. */
  @IntegerSetting()
  @IsInt()
  @Min(1000)
  @Max(10_000_000)
  COUNTERS_IN_MEMORY = 100_000;
}

/** Names of the limits (D16), which can also be set in the database. */
export const LIMIT_NAMES = [
  'LIMIT_ANONYMOUS',
  'LIMIT_APIKEY',
  'LIMIT_USER_L1',
  'LIMIT_USER_L2',
  'LIMIT_USER_L3',
  'LIMIT_ADDRESS',
  'LIMIT_MOVIE_BASIC',
] as const satisfies readonly (keyof LimitSettings)[];
export type LimitName = (typeof LIMIT_NAMES)[number];
