import { IsInt, Max, Min } from 'class-validator';
import { CaptchaSettings } from './captcha-settings';
import { IntegerSetting } from './setting-types';

/** Settings of how requests must arrive, and how many connections may be open; part of all settings. */
export class RequestSettings extends CaptchaSettings {
  /** Connections that each port has open at most; further ones are closed at once. */
  @IntegerSetting()
  @IsInt()
  @Min(10)
  @Max(1_000_000)
  MAX_CONNECTIONS = 5000;

  /** Seconds in which the TLS handshake, and the line and headers of a request, must arrive. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(600)
  HEADER_SECONDS = 30;

  /** Seconds in which a whole request must arrive. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(86_400)
  REQUEST_SECONDS = 300;

  /** Bytes a second that a body must bring, on average over MIN_BODY_RATE_SECONDS; 0 is no minimum. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  MIN_BODY_RATE = 1000;

  /** Seconds over which MIN_BODY_RATE is measured, again and again. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(300)
  MIN_BODY_RATE_SECONDS = 10;
}
