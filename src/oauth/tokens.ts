import { createHash, randomBytes } from 'node:crypto';

/** What each kind of secret begins with, so that scanners for leaked secrets can tell them. */
const PREFIXES = {
  accessToken: 'cpat_',
  refreshToken: 'cprt_',
  code: 'cpac_',
  clientSecret: 'cpcs_',
  session: 'cpss_',
} as const;
export type SecretKind = keyof typeof PREFIXES;

/** A fresh secret with 256 random bits. */
export const makeSecret = (kind: SecretKind): string =>
  PREFIXES[kind] + randomBytes(32).toString('base64url');

/** A fresh `client_id`, which is also the apikey. */
export const makeClientId = (): string => randomBytes(12).toString('hex');

/** Whether a text may be a `client_id`: what cannot, the database need not (and may not) be asked. */
export const mayBeClientId = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);

/**
 * What is stored of a secret (D18). A plain hash is enough: nobody guesses 256 bits. A hash is also
 * what secrets are looked up by, so that the time of a look says nothing about them.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
