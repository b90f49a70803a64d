import { readSettings } from '../config/settings';
import { welcome } from './welcome';

const welcomeOf = (env: Record<string, string>, plainPort?: number): string =>
  welcome(readSettings(env), { token: 'cpat_token', plainPort, hasAdministrator: true });
const TLS = { TLS_CERT: 'c', TLS_KEY: 'k', PORT: '8443' };

describe('the message at start', () => {
  it('has the address and commands with a token', () => {
    const text = welcomeOf({});
    expect(text).toMatch(/^Commonplace serves on http:\/\/localhost:3000 /);
    expect(text).toContain(
      `curl -H 'Authorization: Bearer cpat_token' 'http://localhost:3000/v2/book/1/collection'`,
    );
    expect(text).not.toContain('Plain HTTP');
  });

  it('has the HTTPS address, and the plain HTTP address if there is one', () => {
    const text = welcomeOf({ ...TLS, REQUIRE_HTTPS: 'true' }, 8080);
    expect(text).toMatch(/^Commonplace serves on https:\/\/localhost:8443 /);
    expect(text).toContain('Plain HTTP is on http://localhost:8080\n');
    expect(text).toContain(`cpat_token' 'https://localhost:8443/`);
  });

  it('has no token where HTTPS is required and not served (D17)', () => {
    const text = welcomeOf({ REQUIRE_HTTPS: 'true' });
    expect(text).toContain(`curl 'http://localhost:3000/v2/book/1'`);
    expect(text).not.toContain('cpat_token');
  });

  it('names the way to the first administrator, if there is none', () => {
    const setup = 'http://localhost:3000/admin/setup?key=x';
    const textOf = (welcomed: { setup?: string; hasAdministrator: boolean }): string =>
      welcome(readSettings({}), welcomed);
    expect(textOf({ setup, hasAdministrator: false })).toContain(`within an hour): ${setup}\n`);
    expect(textOf({ hasAdministrator: false })).toContain('commonplace user setup\n');
    const usual = textOf({ hasAdministrator: true });
    expect(usual).toContain('Administration: http://localhost:3000/admin\n');
    expect(usual).not.toContain('first');
  });
});
