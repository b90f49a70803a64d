import { IsInt, Max, Min } from 'class-validator';
import { LimitSettings } from './limit-settings';
import { Limit, IntegerSetting } from './setting-types';

/** Settings of challenges for callers who write too often (1007); part of all settings. */
export class CaptchaSettings extends LimitSettings {
  /** Writes per minute of one user, through all applications, before a challenge; 0 disables it. */
  @Limit()
  CAPTCHA_AFTER = 120;

  /** Highest number that solving a challenge may take to try; half of them on average. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  CAPTCHA_DIFFICULTY = 100_000;
}
