import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { plainToInstance } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';

import { CONNECTION_SETTINGS_UNSET } from './connection-settings';
import { databaseSettingErrors, DATABASE_SETTINGS_UNSET } from './database-settings';
import { pictureSettingErrors, PICTURE_SETTINGS_UNSET } from './picture-settings';
import { PROCESS_SETTINGS_UNSET, ProcessSettings } from './process-settings';
import { HTTP_ADDRESS, Origin, BooleanSetting, IntegerSetting } from './setting-types';
import { TRANSFER_SETTINGS_UNSET } from './transfer-settings';

/** Thrown for invalid settings: the message lists every error, one per line. */
export class SettingsError extends Error {
  constructor(readonly faults: string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * Every setting of the service, by the name of its environment variable. An empty variable counts
 * as unset. `.env.example` documents each for operators; a test compares the two.
 */
export class Settings extends ProcessSettings {
  /** `production` requires HTTPS and loads no sample data; the others are for trial and tests. */
  @IsIn(['development', 'test', 'production'])
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  /** Port for HTTP, or for HTTPS when a certificate is set; 0 selects a free port. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  /** Address to listen on; empty means all addresses. */
  @IsString()
  HOST = '';

  /** Public address of the API, without a trailing slash (D11). */
  @IsOptional()
  @Origin()
  @Matches(HTTP_ADDRESS, { message: 'BASE_URL must be an http or https address' })
  BASE_URL?: string;

  /** Address of the web pages that `alt` members link to, without a trailing slash (D11). */
  @IsOptional()
  @Origin()
  @Matches(HTTP_ADDRESS, { message: 'WEB_URL must be an http or https address' })
  WEB_URL?: string;

  /** Contact for developers whose application is blocked: a mail or web address. */
  @IsString()
  @Matches(/^(\S+@\S+|https?:\/\/\S+)?$/, { message: 'CONTACT must be a mail or web address' })
  CONTACT = '';

  /** Time zone of timestamps in responses, an IANA name (D1). */
  @IsTimeZone()
  // Node takes an offset for a time zone, too, and PostgreSQL reads its sign the other way round.
  @Matches(/^[A-Za-z]/, { message: 'TIME_ZONE must be the name of a time zone' })
  TIME_ZONE = 'Asia/Shanghai';

  /**
   * Whether the start loads the sample catalogue into an empty database. `auto`: only into the
   * embedded database, and not in production.
   */
  @IsIn(['auto', 'true', 'false'])
  SAMPLE: 'auto' | 'true' | 'false' = 'auto';

  /** Data folder of the service and its embedded PostgreSQL, relative to the working directory. */
  @IsString()
  DATA_DIR = '.data';

  /** Seconds that a validated token or apikey is cached (D13, D15). */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(300)
  TOKEN_CACHE_SECONDS = 5;

  /** Maximum size of a body in bytes, without its pictures (D5). */
  @IntegerSetting()
  @IsInt()
  @Min(1024)
  MAX_BODY_BYTES = 1048576;

  /** Redis with the counters of all processes; without it each process counts on its own. */
  @IsOptional()
  @Matches(/^rediss?:\/\/\S+$/, {
    message: 'REDIS_URL must be a redis:// or rediss:// address',
  })
  REDIS_URL?: string;

  /** Number of proxies in front of the service whose forwarding headers are trusted. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(20)
  TRUSTED_PROXIES = 0;

  /** Whether tokens require HTTPS (D17); default is true in production. */
  @IsOptional()
  @BooleanSetting()
  @IsBoolean({ message: 'REQUIRE_HTTPS must be true or false' })
  REQUIRE_HTTPS?: boolean;

  /** Files with the server's certificate (and its chain) and key, in PEM; both, or neither. */
  @IsOptional()
  @IsString()
  TLS_CERT?: string;

  @IsOptional()
  @IsString()
  TLS_KEY?: string;

  /** Additional port for plain HTTP when PORT serves HTTPS; 0 selects a free port. */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65535)
  HTTP_PORT?: number;

  /** Port of the Prometheus metrics; without it nothing is measured. */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65535)
  METRICS_PORT?: number;

  /** Address that METRICS_PORT listens on; empty means all addresses. */
  @IsString()
  METRICS_HOST = '127.0.0.1';

  /** Lowest level that is logged. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /** Whether PORT serves HTTPS. */
  get servesHttps(): boolean {
    return this.TLS_CERT !== undefined;
  }

  /** BASE_URL, or the local address when it is not set. */
  get baseUrl(): string {
    const scheme = this.servesHttps ? 'https' : 'http';
    return this.BASE_URL ?? `${scheme}://localhost:${this.PORT}`;
  }

  /** WEB_URL, or the API's own address when it is not set. */
  get webUrl(): string {
    return this.WEB_URL ?? this.baseUrl;
  }

  /**
   * Whether an empty database gets the sample data.
   *
   * @param embedded whether the database is the embedded one
   */
  wantsSample(embedded: boolean): boolean {
    if (this.SAMPLE !== 'auto') return this.SAMPLE === 'true';
    return embedded && this.NODE_ENV !== 'production';
  }

  /** REQUIRE_HTTPS, or its default by NODE_ENV (D17). */
  get requireHttps(): boolean {
    return this.REQUIRE_HTTPS ?? this.NODE_ENV === 'production';
  }

  /** LAME_DUCK_SECONDS, or its default by NODE_ENV: 0 outside production, for a quick restart. */
  get lameDuckSeconds(): number {
    return this.LAME_DUCK_SECONDS ?? (this.NODE_ENV === 'production' ? 5 : 0);
  }

  /** DATA_DIR as an absolute path. */
  get dataDir(): string {
    return resolve(this.DATA_DIR);
  }

  /** UPLOADS_DIR, or its default below DATA_DIR, as an absolute path. */
  get uploadsDir(): string {
    return resolve(this.UPLOADS_DIR ?? join(this.DATA_DIR, 'uploads'));
  }

  /** PICTURES_DIR, or its default below DATA_DIR, as an absolute path. */
  get picturesDir(): string {
    return resolve(this.PICTURES_DIR ?? join(this.DATA_DIR, 'pictures'));
  }

  /** TRANSFER_DIR, or its default below DATA_DIR, as an absolute path. */
  get transferDir(): string {
    return resolve(this.TRANSFER_DIR ?? join(this.DATA_DIR, 'transfer'));
  }
}

/** Settings without a default: an instance has no property for them until they are set. */
const UNSET = [
  ...['BASE_URL', 'WEB_URL', 'REDIS_URL'],
  ...['REQUIRE_HTTPS', 'TLS_CERT', 'TLS_KEY', 'HTTP_PORT', 'METRICS_PORT'],
  ...CONNECTION_SETTINGS_UNSET,
  ...PROCESS_SETTINGS_UNSET,
  ...DATABASE_SETTINGS_UNSET,
  ...PICTURE_SETTINGS_UNSET,
  ...TRANSFER_SETTINGS_UNSET,
] as const;

/** Errors in combinations of settings that are valid one by one. */
function faultsTogether({ TLS_CERT, TLS_KEY, HTTP_PORT }: Settings): string[] {
  const faults: string[] = [];
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) {
    faults.push('set both TLS_CERT and TLS_KEY, or neither');
  }
  if (HTTP_PORT !== undefined && TLS_CERT === undefined) {
    faults.push('HTTP_PORT requires TLS_CERT and TLS_KEY: without them PORT serves plain HTTP');
  }
  return faults;
}

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = [
  ...new Set([...Object.keys(new Settings()), ...UNSET]),
];

/**
 * Settings from a set of environment variables.
 *
 * @throws SettingsError with all errors
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const variables: Record<string, unknown> = Object.fromEntries(
    SETTING_NAMES.filter((name) => (env[name] ?? '') !== '').map((name) => [name, env[name]]),
  );
  const settings = plainToInstance(Settings, variables, { exposeUnsetFields: false });
  const faults = [
    ...validateSync(settings).flatMap((error) => Object.values(error.constraints ?? {})),
    ...faultsTogether(settings),
    ...databaseSettingErrors(settings),
    ...pictureSettingErrors(settings),
  ];
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

/**
 * The settings of this process, from its environment and a `.env` file in the working directory.
 * Other code does not read `process.env`.
 *
 * @throws SettingsError with all errors
 */
export function loadSettings(): Settings {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return readSettings({ ...file, ...process.env });
}
