import { type Level } from '../api/access/access';

const DAY = 24 * 3600;

/** Lifetimes of tokens in seconds, by level of the application (D18). */
export const LIFETIMES: Readonly<Record<Level, { access: number; refresh: number }>> = {
  L1: { access: 7 * DAY, refresh: 14 * DAY },
  L2: { access: 30 * DAY, refresh: 60 * DAY },
  L3: { access: 90 * DAY, refresh: 180 * DAY },
};

/** Lifetime of an authorization code in seconds (D18). */
export const CODE_LIFETIME = 60;
