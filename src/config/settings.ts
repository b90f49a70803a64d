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

import { CONNECTION_SETTINGS_UNSET, ConnectionSettings } from './connection-settings';
import { databaseSettingErrors, DATABASE_SETTINGS_UNSET } from './database-settings';
import { PICTURE_SETTINGS_UNSET } from './picture-settings';
import { HTTP_ADDRESS, Origin, BooleanSetting, IntegerSetting } from './setting-types';
import { TRANSFER_SETTINGS_UNSET } from './transfer-settings';

/** Thrown when settings are wrong: one message that lists every fault, a line each. */
export class SettingsError extends Error {
  constructor(readonly faults: string[]) {
    super(`Settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * Every setting of the service, by the name of its environment variable. An empty variable counts
 * as absent. `.env.example` documents each for operators; a test holds the two together.
 */
export class Settings extends ConnectionSettings {
  /** `production` requires HTTPS and has no sample; anything else is for trying and testing. */
  @IsIn(['development', 'test', 'production'])
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  /** Port that HTTP is served on, HTTPS with a certificate; 0 takes a free one. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  /** Address to listen on; empty listens on all of them. */
  @IsString()
  HOST = '';

  /** Address that clients reach the API at, without a trailing slash (D11). */
  @IsOptional()
  @Origin()
  @Matches(HTTP_ADDRESS, { message: 'BASE_URL must be an http or https address' })
  BASE_URL?: string;

  /** Address of the web pages that `alt` members point to, without a trailing slash (D11). */
  @IsOptional()
  @Origin()
  @Matches(HTTP_ADDRESS, { message: 'WEB_URL must be an http or https address' })
  WEB_URL?: string;

  /** Whom developers write to when their application is blocked: a mail or web address. */
  @IsString()
  @Matches(/^(\S+@\S+|https?:\/\/\S+)?$/, { message: 'CONTACT must be a mail or web address' })
  CONTACT = '';

  /** Zone that timestamps are written in, an IANA name (D1). */
  @IsTimeZone()
  TIME_ZONE = 'Asia/Shanghai';

  /**
   * Whether an empty database gets the sample catalogue at start. `auto`: the embedded one, but not
   * in production.
   */
  @IsIn(['auto', 'true', 'false'])
  SAMPLE: 'auto' | 'true' | 'false' = 'auto';

  /** Folder that the embedded PostgreSQL keeps its data in, from the working directory. */
  @IsString()
  DATA_DIR = '.data';

  /** Seconds that a token or key is believed before it is looked up again (D13, D15). */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(300)
  TOKEN_CACHE_SECONDS = 5;

  /** Bytes that a body may have beside its pictures (D5). */
  @IntegerSetting()
  @IsInt()
  @Min(1024)
  MAX_BODY_BYTES = 1048576;

  /** Redis that counts the calls of all processes together; when absent each counts its own. */
  @IsOptional()
  @Matches(/^rediss?:\/\/\S+$/, {
    message: 'REDIS_URL must be a redis:// or rediss:// address',
  })
  REDIS_URL?: string;

  /** Proxies in front of the service, whose word on client and scheme is taken. */
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(20)
  TRUSTED_PROXIES = 0;

  /** Whether tokens must come over HTTPS (D17); on in production when not given. */
  @IsOptional()
  @BooleanSetting()
  @IsBoolean({ message: 'REQUIRE_HTTPS must be true or false' })
  REQUIRE_HTTPS?: boolean;

  /** Files with the server's certificate (and its chain) and key, PEM; both, or neither. */
  @IsOptional()
  @IsString()
  TLS_CERT?: string;

  @IsOptional()
  @IsString()
  TLS_KEY?: string;

  /** Port that plain HTTP is served on besides, when PORT has HTTPS; 0 takes a free one. */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65535)
  HTTP_PORT?: number;

  /** Port that Prometheus reads metrics from; when absent nothing is measured. */
  @IsOptional()
  @IntegerSetting()
  @IsInt()
  @Min(0)
  @Max(65535)
  METRICS_PORT?: number;

  /** Address that METRICS_PORT listens on; empty listens on all of them. */
  @IsString()
  METRICS_HOST = '127.0.0.1';

  /** Least level that is logged. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /** Whether PORT has HTTPS. */
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
   * Whether an empty database gets the sample.
   *
   * @param embedded whether the database is the embedded one
   */
  wantsSample(embedded: boolean): boolean {
    if (this.SAMPLE !== 'auto') return this.SAMPLE === 'true';
    return embedded && this.NODE_ENV !== 'production';
  }

  /** REQUIRE_HTTPS, or what NODE_ENV makes of it (D17). */
  get requireHttps(): boolean {
    return this.REQUIRE_HTTPS ?? this.NODE_ENV === 'production';
  }

  /** LAME_DUCK_SECONDS, or what NODE_ENV makes of it: who tries the service stops it at once. */
  get lameDuckSeconds(): number {
    return this.LAME_DUCK_SECONDS ?? (this.NODE_ENV === 'production' ? 5 : 0);
  }

  /** DATA_DIR as an absolute path. */
  get dataDir(): string {
    return resolve(this.DATA_DIR);
  }

  /** UPLOADS_DIR, or its place below DATA_DIR, as an absolute path. */
  get uploadsDir(): string {
    return resolve(this.UPLOADS_DIR ?? join(this.DATA_DIR, 'uploads'));
  }

  /** PICTURES_DIR, or its place below DATA_DIR, as an absolute path. */
  get picturesDir(): string {
    return resolve(this.PICTURES_DIR ?? join(this.DATA_DIR, 'pictures'));
  }

  /** TRANSFER_DIR, or its place below DATA_DIR, as an absolute path. */
  get transferDir(): string {
    return resolve(this.TRANSFER_DIR ?? join(this.DATA_DIR, 'transfer'));
  }
}

/** Settings without a default, which an instance lacks unless they are given. */
const UNSET = [
  ...['BASE_URL', 'WEB_URL', 'REDIS_URL'],
  ...['REQUIRE_HTTPS', 'TLS_CERT', 'TLS_KEY', 'HTTP_PORT', 'METRICS_PORT'],
  ...CONNECTION_SETTINGS_UNSET,
  ...DATABASE_SETTINGS_UNSET,
  ...PICTURE_SETTINGS_UNSET,
  ...TRANSFER_SETTINGS_UNSET,
] as const;

/** What is wrong with settings together, each being right by itself. */
function faultsTogether({ TLS_CERT, TLS_KEY, HTTP_PORT }: Settings): string[] {
  const faults: string[] = [];
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) {
    faults.push('TLS_CERT and TLS_KEY must be set both, or neither');
  }
  if (HTTP_PORT !== undefined && TLS_CERT === undefined) {
    faults.push('HTTP_PORT must go with TLS_CERT and TLS_KEY: without, PORT has plain HTTP');
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
 * @throws SettingsError naming every fault at once
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given: Record<string, unknown> = Object.fromEntries(
    SETTING_NAMES.filter((name) => (env[name] ?? '') !== '').map((name) => [name, env[name]]),
  );
  const settings = plainToInstance(Settings, given, { exposeUnsetFields: false });
  const faults = [
    ...validateSync(settings).flatMap((error) => Object.values(error.constraints ?? {})),
    ...faultsTogether(settings),
    ...databaseSettingErrors(settings),
  ];
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

/**
 * The settings of this process: its environment, completed from a `.env` file in the working
 * directory. The only reader of `process.env`.
 *
 * @throws SettingsError naming every fault at once
 */
export function loadSettings(): Settings {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return readSettings({ ...file, ...process.env });
}
