import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { LIMIT_NAMES } from '../src/config/limit-settings';
import { readSettings, type Settings } from '../src/config/settings';

/** Address in responses, independent of the port of the test's server. */
export const BASE_URL = 'http://api.test';
export const WEB_URL = 'http://web.test';

/** Tests call as often as they like, unless they are about limits. */
export const NO_LIMITS: Readonly<Record<string, string>> = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, '0']),
);

/** Bursts are worked off, however busy the machine is, unless a test is about overload. */
export const PATIENT: Readonly<Record<string, string>> = {
  DATABASE_QUEUE_TIMEOUT_MS: '30000',
  REQUEST_QUEUE_TIMEOUT_MS: '30000',
  DATABASE_CONNECT_TIMEOUT_MS: '30000',
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '120000',
};

/**
 * Settings for tests: quiet, and without a memory of tokens and responses unless asked for. Run them
 * with `CACHE_MB=64` to have responses in memory.
 */
export const testSettings = (more: Record<string, string> = {}): Settings =>
  readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    BASE_URL,
    WEB_URL,
    LOG_LEVEL: 'silent',
    TOKEN_CACHE_SECONDS: '0',
    CACHE_MB: process.env.CACHE_MB ?? '0',
    CAPTCHA_AFTER: '0',
    UPLOADS_DIR: join(tmpdir(), `commonplace-uploads-${userInfo().uid}`),
    JOB_MEMORY_MB: '0',
    ...NO_LIMITS,
    ...PATIENT,
    ...more,
  });

/** The address of another database on the same server. */
export function databaseAt(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}
