import { hash } from 'node:crypto';

/**
 * Characters of a key that tell it from others. Longer keys hold what callers send and what names
 * nothing here: those that begin alike share a counter.
 */
const MAX_LENGTH = 300;

/**
 * What a counter is known by, in memory and in Redis: 43 characters whatever callers send. Names
 * and addresses of callers are kept nowhere as they are.
 */
export const digestOfKey = (key: string): string =>
  hash('sha256', key.length > MAX_LENGTH ? key.slice(0, MAX_LENGTH) : key, 'base64url');
