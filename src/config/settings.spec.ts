import { resolve } from 'node:path';
import { readSettings, Settings, SettingsError } from './settings';

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
};

describe('SAMPLE', () => {
  const wants = (env: Record<string, string>) =>
    [true, false].map((embedded) => readSettings(env).wantsSample(embedded));

  it('defaults to true for an embedded database outside of production, and false otherwise', () => {
    expect(wants({})).toEqual([true, false]);
    expect(wants({ NODE_ENV: 'production' })).toEqual([false, false]);
    for (const NODE_ENV of ['development', 'production']) {
      expect(wants({ NODE_ENV, SAMPLE: 'true' })).toEqual([true, true]);
      expect(wants({ NODE_ENV, SAMPLE: 'false' })).toEqual([false, false]);
    }
  });
});

describe('readSettings', () => {
  it('returns defaults for all settings', () => {
    expect(readSettings({})).toEqual(new Settings());
    expect(readSettings({}).baseUrl).toBe('http://localhost:3000');
  });

  it('treats an empty variable as absent', () => {
    const empty = Object.fromEntries(Object.keys(new Settings()).map((name) => [name, '']));
    expect(readSettings({ ...empty, BASE_URL: '', DATABASE_URL: '' })).toEqual(new Settings());
  });

  it('ignores unrelated variables', () => {
    expect(readSettings({ PATH: '/bin', baseUrl: 'x', dataDir: 'y' })).toEqual(new Settings());
  });

  it('removes trailing slashes from addresses (D11)', () => {
    const settings = readSettings({ BASE_URL: 'https://api.test/', PORT: '81' });
    expect([settings.baseUrl, settings.webUrl]).toEqual(['https://api.test', 'https://api.test']);
    expect(readSettings({ WEB_URL: 'http://web.test//' }).webUrl).toBe('http://web.test');
    expect(readSettings({ PORT: '81' }).baseUrl).toBe('http://localhost:81');
  });

  it('requires HTTPS in production by default (D17)', () => {
    expect(readSettings({}).requireHttps).toBe(false);
    expect(readSettings({ NODE_ENV: 'production' }).requireHttps).toBe(true);
    expect(readSettings({ NODE_ENV: 'production', REQUIRE_HTTPS: 'false' }).requireHttps).toBe(
      false,
    );
    expect(readSettings({ REQUIRE_HTTPS: 'true' }).requireHttps).toBe(true);
  });

  it('sets a lame-duck phase in production by default', () => {
    expect(readSettings({}).lameDuckSeconds).toBe(0);
    expect(readSettings({ NODE_ENV: 'production' }).lameDuckSeconds).toBe(5);
    expect(readSettings({ NODE_ENV: 'production', LAME_DUCK_SECONDS: '0' }).lameDuckSeconds).toBe(
      0,
    );
    expect(readSettings({ LAME_DUCK_SECONDS: '7' }).lameDuckSeconds).toBe(7);
  });

  it('requires DATABASE_DIRECT_URL with DATABASE_POOLING=transaction', () => {
    const DATABASE_URL = 'postgres://pooler/x';
    const faults = faultsOf({ DATABASE_URL, DATABASE_POOLING: 'transaction' });
    expect(faults).toEqual([
      'DATABASE_POOLING=transaction requires DATABASE_DIRECT_URL, the address of PostgreSQL without ' +
        'the pooler, for notifications, locks, migrations and jobs',
    ]);
    const DATABASE_DIRECT_URL = 'postgres://server/x';
    expect(
      faultsOf({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOLING: 'transaction' }),
    ).toEqual([]);
    expect(faultsOf({ DATABASE_DIRECT_URL })).toEqual([
      'DATABASE_DIRECT_URL requires DATABASE_URL',
    ]);
  });

  it('requires the access key of a bucket', () => {
    const bucket = { PICTURES_S3_BUCKET: 'pictures', PICTURES_S3_ACCESS_KEY_ID: 'key' };
    expect(faultsOf(bucket)).toEqual([
      'PICTURES_S3_BUCKET needs PICTURES_S3_ACCESS_KEY_ID and PICTURES_S3_SECRET_ACCESS_KEY',
    ]);
    expect(faultsOf({ ...bucket, PICTURES_S3_SECRET_ACCESS_KEY: 'secret' })).toEqual([]);
  });

  it('resolves DATA_DIR against the working directory', () => {
    expect(readSettings({ DATA_DIR: 'x/y' }).dataDir).toBe(resolve('x/y'));
  });

  it.each([
    ['NODE_ENV', 'staging'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['BASE_URL', 'api.test'],
    ['PICTURES_S3_ENDPOINT', 'https://user:password@s3.test'],
    ['BASE_URL', 'ftp://api.test'],
    ['BASE_URL', 'https://api.test?x=1'],
    ['WEB_URL', 'javascript:alert(1)'],
    ['TIME_ZONE', 'Mars/Phobos'],
    ['TIME_ZONE', '8'],
    ['TIME_ZONE', '+08:00'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_DIRECT_URL', 'localhost:5432'],
    ['DATABASE_POOLING', 'statement'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_CONNECT_TIMEOUT_MS', '0'],
    ['DATABASE_QUEUE_TIMEOUT_MS', '9999999999'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', 'none'],
    ['TOKEN_CACHE_SECONDS', '301'],
    ['MAX_BODY_BYTES', '1'],
    ['DRAIN_SECONDS', '601'],
    ['LAME_DUCK_SECONDS', '-1'],
    ['TLS_HANDSHAKES_PER_SECOND', '5'],
    ['TLS_HANDSHAKES_PER_SECOND', '15'],
    ['KEEP_ALIVE_SECONDS', '0'],
    ['REDIS_URL', 'localhost:6379'],
    ['LIMIT_ANONYMOUS', '-1'],
    ['LIMIT_ADDRESS', '2000000001'],
    ['LIMIT_MOVIE_BASIC', 'many'],
    ['TRUSTED_PROXIES', '-1'],
    ['TRUSTED_PROXIES', '21'],
    ['REQUIRE_HTTPS', 'yes'],
    ['REQUIRE_HTTPS', '1'],
    ['LOG_LEVEL', 'loud'],
    ['MAX_CONNECTIONS', '0'],
    ['HEADER_SECONDS', '0'],
    ['REQUEST_SECONDS', 'long'],
    ['MIN_BODY_RATE', '-1'],
    ['MIN_BODY_RATE_SECONDS', '0'],
    ['MAX_UPLOADS_PER_USER', '0'],
  ])('rejects %s=%s and names the variable', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every((fault) => fault.includes(name))).toBe(true);
  });

  it.each([
    [{ TLS_CERT: 'cert.pem' }, /TLS_KEY/],
    [{ TLS_KEY: 'key.pem' }, /TLS_CERT/],
    [{ HTTP_PORT: '80' }, /HTTP_PORT/],
    [{ HTTP_PORT: 'x', TLS_CERT: 'c', TLS_KEY: 'k' }, /HTTP_PORT/],
  ])('rejects %j', (env, named) => {
    expect(faultsOf(env)).toEqual(expect.arrayContaining([expect.stringMatching(named)]));
  });

  it('uses https in BASE_URL when there is a certificate', () => {
    const env = { TLS_CERT: 'c', TLS_KEY: 'k', HTTP_PORT: '80', PORT: '443' };
    expect(readSettings(env).baseUrl).toBe('https://localhost:443');
    expect(readSettings({ ...env, BASE_URL: 'http://api.test' }).baseUrl).toBe('http://api.test');
  });

  it('reports all errors at once, one per line', () => {
    const wrong = { PORT: 'x', TIME_ZONE: 'y', LOG_LEVEL: 'z' };
    const faults = faultsOf(wrong);
    for (const name of Object.keys(wrong)) {
      expect(faults.some((fault) => fault.includes(name))).toBe(true);
    }
    expect(new SettingsError(faults).message.split('\n').length).toBe(faults.length + 1);
  });
});
