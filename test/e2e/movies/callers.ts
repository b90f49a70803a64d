import { type Scope } from '../../../src/api/access/access';
import { type Harness } from '../../harness';

/** Callers by the movie scopes of their token; nobody has no token. */
export const CALLERS: Readonly<Record<string, readonly Scope[] | undefined>> = {
  nobody: undefined,
  basic: ['movie_basic_r'],
  advance: ['movie_advance_r'],
  premium: ['movie_premium_r'],
  'advance and premium': ['movie_advance_r', 'movie_premium_r'],
};

/** The tokens of all of them. */
export async function tokensOf(harness: Harness): Promise<Record<string, string | undefined>> {
  const tokens: Record<string, string | undefined> = {};
  for (const [name, scopes] of Object.entries(CALLERS)) {
    tokens[name] = scopes && (await harness.token({ scopes }));
  }
  return tokens;
}
