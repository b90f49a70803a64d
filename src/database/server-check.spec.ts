import { serverProblem } from './server-check';

describe('serverFault', () => {
  it('requires PostgreSQL 15 with encoding UTF8', () => {
    expect(serverProblem({ version: 15, encoding: 'UTF8' })).toBeUndefined();
    expect(serverProblem({ version: 18, encoding: 'UTF8' })).toBeUndefined();
    expect(serverProblem({ version: 14, encoding: 'UTF8' })).toBe(
      'PostgreSQL 15 or newer is required, but the server is PostgreSQL 14.',
    );
    expect(serverProblem({ version: 15, encoding: 'LATIN1' })).toBe(
      'The encoding of the database must be UTF8, but it is LATIN1.',
    );
  });
});
