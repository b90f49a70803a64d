import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Limit, IntegerSetting } from './setting-types';

/** Settings of the rate limits (D16); part of `Settings`. */
export class LimitSettings {
  /** Requests per hour from an address without token or apikey (D16). For all limits, 0 is none. */
  @Limit()
  LIMIT_ANONYMOUS = 150;

  /** Requests per hour from an address with an application's apikey. */
  @Limit()
  LIMIT_APIKEY = 500;

  /** Requests per hour of a user through an application of level L1, or of the application alone. */
  @Limit()
  LIMIT_USER_L1 = 500;

  /** The same for an application of level L2. */
  @Limit()
  LIMIT_USER_L2 = 1000;

  /** The same for an application of level L3. */
  @Limit()
  LIMIT_USER_L3 = 2000;

  /** Requests per hour from an address with any tokens or apikeys (D52). */
  @Limit()
  LIMIT_ADDRESS = 5000;

  /** Requests per minute of a caller in the basic movie tier. */
  @Limit()
  LIMIT_MOVIE_BASIC = 40;

  /** Requests of public pages per hour from an address; they count in no other limit. */
  @Limit()
  LIMIT_PAGES = 3000;

  /** While Redis is unavailable: `local` counts in each process, `refuse` responds 503. */
  @IsIn(['local', 'refuse'])
  LIMITS_WITHOUT_REDIS: 'local' | 'refuse' = 'local';

  /** Maximum number of counters in the memory of a process, about 130 bytes each. */
  @IntegerSetting()
  @IsInt()
  @Min(1000)
  @Max(10_000_000)
  COUNTERS_IN_MEMORY = 100_000;
}

/** Names of the limits (D16); a limit can also be set in the database. */
export const LIMIT_NAMES = [
  'LIMIT_ANONYMOUS',
  'LIMIT_APIKEY',
  'LIMIT_USER_L1',
  'LIMIT_USER_L2',
  'LIMIT_USER_L3',
  'LIMIT_ADDRESS',
  'LIMIT_MOVIE_BASIC',
  'LIMIT_PAGES',
] as const satisfies readonly (keyof LimitSettings)[];
export type LimitName = (typeof LIMIT_NAMES)[number];
