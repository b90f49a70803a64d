import { webStorage, type Tokens, type TokenStorage } from '../../clients/typescript/src';
import { type Received, type Reply } from './stub-server';

const HOUR = 3_600_000;

/** Tokens of user 1 that differ by name. @param life milliseconds until they expire */
export const tokens = (name: string, life = HOUR, user_id = '1'): Tokens => ({
  access_token: `access-${name}`,
  refresh_token: `refresh-${name}`,
  user_id,
  expires_at: Date.now() + life,
});

/** The response of the token endpoint that issues tokens. */
export const issued = ({ expires_at: _, ...rest }: Tokens): Reply => ({
  json: { ...rest, token_type: 'Bearer', expires_in: 3600 },
});

export const isToken = ({ path }: Received): boolean => path === '/service/auth2/token';

/** The response to an access token that is invalid. */
export const INVALID: Reply = { status: 401, json: { msg: '', code: 103, request: '' } };

/** The response to a refresh token that is invalid. */
export const REJECTED: Reply = { status: 400, json: { code: 119, error: 'invalid_grant' } };

/** Opens the storage of a browser: each call returns the `webStorage` of another tab. */
export function browserStorage(): (name?: string) => TokenStorage {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  return (name) => webStorage(storage, name);
}
