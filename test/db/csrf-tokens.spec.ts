import { CsrfTokens } from '../../src/accounts/csrf-tokens';
import { openTestDatabase, type TestDatabase } from '../harness';

/** Tokens of a process that uses a database. */
async function tokensOf({ database }: TestDatabase): Promise<CsrfTokens> {
  const tokens = new CsrfTokens(database);
  await tokens.onModuleInit();
  return tokens;
}

it('a CSRF token is valid for its session, in every process of the service', async () => {
  const opened = await openTestDatabase();
  const elsewhere = await openTestDatabase();
  const token = (await tokensOf(opened)).create('session');
  const tokens = await tokensOf(opened);
  expect(tokens.verify('session', token)).toBe(true);
  expect(tokens.verify('another session', token)).toBe(false);
  expect(tokens.verify('session', '')).toBe(false);
  expect((await tokensOf(elsewhere)).verify('session', token)).toBe(false);
  await opened.close();
  await elsewhere.close();
});
