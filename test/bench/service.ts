import { LIMIT_NAMES } from '../../src/config/limit-settings';
import { type Site } from './database';
import { type Script } from './processes';

/** The service counts requests and rejects none. */
export const LIMITS = {
  ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, '1000000000'])),
  CAPTCHA_AFTER: '1000000000',
};

/** The server of a build, with further settings. */
export const serviceScript = (
  { build, env }: Site,
  settings: Readonly<Record<string, string>> = {},
): Script => ({
  ...{ script: 'src/main.js', build, env: { ...env, ...LIMITS, ...settings } },
});
