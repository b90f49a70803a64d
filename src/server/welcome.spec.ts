import { readSettings } from '../config/settings';
import { welcome } from './welcome';

const said = (env: Record<string, string>, plainPort?: number): string =>
  welcome(readSettings(env), { token: 'cpat_token', plainPort });
const TLS = { TLS_CERT: 'c', TLS_KEY: 'k', PORT: '8443' };

describe('welcome', () => {
  it('names the address, and how to try it with a token', () => {
    const text = said({});
    expect(text).toMatch(/^Commonplace serves on http:\/\/localhost:3000 /);
    expect(text).toContain(
      `curl -H 'Authorization: Bearer cpat_token' 'http://localhost:3000/v2/book/1/collection'`,
    );
    expect(text).not.toContain('Plain HTTP');
  });

  it('names HTTPS where it is served, and plain HTTP besides', () => {
    const text = said({ ...TLS, REQUIRE_HTTPS: 'true' }, 8080);
    expect(text).toMatch(/^Commonplace serves on https:\/\/localhost:8443 /);
    expect(text).toContain('Plain HTTP is on http://localhost:8080\n');
    expect(text).toContain(`cpat_token' 'https://localhost:8443/`);
  });

  it('shows no token where it would be rejected (D17)', () => {
    const text = said({ REQUIRE_HTTPS: 'true' });
    expect(text).toContain(`curl 'http://localhost:3000/v2/book/1'`);
    expect(text).not.toContain('cpat_token');
  });
});
