import { IsInt, Max, Min } from 'class-validator';
import { LimitSettings } from './limit-settings';
import { Limit, IntegerSetting } from './setting-types';

/** Settings of challenges for callers who write too often (1007); part of all settings. */
export class CaptchaSettings extends LimitSettings {
  /** Writes a minute of a user, through all applications, before a challenge is asked; 0 is never. */
  @Limit()
  CAPTCHA_AFTER = 120;

  /** Numbers that a caller has to try at most to solve a challenge; half of them on average. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  CAPTCHA_DIFFICULTY = 100_000;
}
