import { createHash, randomBytes } from 'node:crypto';

/** Starts every access token, so that scanners for leaked secrets can recognise one. */
const TOKEN_PREFIX = 'cpat_';

/** A fresh access token with 256 random bits. */
export const makeToken = (): string => TOKEN_PREFIX + randomBytes(32).toString('base64url');

/** A fresh `client_id`, which is also the apikey. */
export const makeClientId = (): string => randomBytes(12).toString('hex');

/** What is stored of a token (D18). */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
