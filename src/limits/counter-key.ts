import { hash } from 'node:crypto';

/**
 * Number of characters of a key that count. Valid keys are shorter; longer keys contain invalid
 * input of callers, and those with the same beginning share a counter.
 */
const MAX_LENGTH = 300;

/**
 * The stored key of a counter, in memory and in Redis: always 43 characters. Names and addresses of
 * callers are not stored in clear text.
 */
export const digestOfKey = (key: string): string =>
  hash('sha256', key.length > MAX_LENGTH ? key.slice(0, MAX_LENGTH) : key, 'base64url');
