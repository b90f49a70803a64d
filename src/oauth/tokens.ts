import { createHash, randomBytes } from 'node:crypto';

/** Prefix of each kind of secret, so that scanners for leaked secrets recognize them. */
const PREFIXES = {
  accessToken: 'cpat_',
  refreshToken: 'cprt_',
  code: 'cpac_',
  clientSecret: 'cpcs_',
  session: 'cpss_',
} as const;
export type SecretKind = keyof typeof PREFIXES;

/** Creates a secret with 256 random bits. */
export const makeSecret = (kind: SecretKind): string =>
  PREFIXES[kind] + randomBytes(32).toString('base64url');

/** Creates a `client_id`, which is also the apikey. */
export const makeClientId = (): string => randomBytes(12).toString('hex');

/** Whether a text has the format of a `client_id`; other texts must not reach the database. */
export const mayBeClientId = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);

/**
 * The stored form of a secret (D18). A plain hash is enough, because secrets have 256 random bits.
 * Lookups use the hash, so that their timing reveals nothing about the secret.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
