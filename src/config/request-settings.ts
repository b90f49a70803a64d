import { IsBoolean, IsDivisibleBy, IsInt, IsOptional, Max, Min } from 'class-validator';
import { CaptchaSettings } from './captcha-settings';
import { BooleanSetting, IntegerSetting } from './setting-types';

/** Settings of how requests arrive and how many connections are open; part of `Settings`. */
export class RequestSettings extends CaptchaSettings {
  /**
   * Maximum number of open connections of each port; further ones are closed at once. By default
   * 2,000 with TLS, otherwise 5,000.
   */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(10)
  @Max(1_000_000)
  MAX_CONNECTIONS?: number;

  /** Whether responses of the API are compressed for clients that accept it. */
  @BooleanSetting()
  @IsBoolean()
  COMPRESSION = true;

  /** Megabytes of responses in memory; 0 keeps none. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65_536)
  CACHE_MB = 64;

  /** Milliseconds that a request waits to be started before it gets 503 (D5). */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(60_000)
  REQUEST_QUEUE_TIMEOUT_MS = 500;

  /** Seconds in which the TLS handshake, and the line and headers of a request, must arrive. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(600)
  HEADER_SECONDS = 30;

  /**
   * TLS handshakes that one address begins in a second, without proxies; 0 is no limit. The limit
   * applies to windows of 0.1 s.
   */
  @IntegerSetting()
  @IsInt()
  @IsDivisibleBy(10)
  @Min(0)
  @Max(100_000)
  TLS_HANDSHAKES_PER_SECOND = 200;

  /** Seconds in which a complete request must arrive. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(86_400)
  REQUEST_SECONDS = 300;

  /** Minimum bytes per second of a body, on average over MIN_BODY_RATE_SECONDS; 0 is none. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  MIN_BODY_RATE = 1000;

  /** Length in seconds of each interval in which MIN_BODY_RATE is measured. */
  @IntegerSetting()
  @IsInt()
  @Min(1)
  @Max(300)
  MIN_BODY_RATE_SECONDS = 10;
}
