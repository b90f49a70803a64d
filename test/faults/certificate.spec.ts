import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { pino } from 'pino';
import { freePort } from '../../src/server/listen';
import { inspectCertificate } from '../../src/app.certificate';
import { readCertificate } from '../../src/server/certificate';
import { followCertificate, type ServedCertificate } from '../../src/server/tls';
import { makeCertificate, type CertificateOptions } from '../e2e/process/certificate';
import { Workshop } from '../e2e/process/programs';
import { openTestDatabase } from '../harness';
import { testSettings } from '../settings';

const NOW = new Date('2030-06-15T12:00:00Z');
const DAY_MS = 86_400_000;
const daysFromNow = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
const HOSTS = ['api.example.org', '*.books.example.org', '192.0.2.7'];

const pemOf = (options: CertificateOptions = {}, name = 'api'): Buffer =>
  Buffer.from(makeCertificate(name, { hosts: HOSTS, ...options }).cert);

const warningsOf = (pem: Buffer, baseUrl?: string): readonly string[] =>
  inspectCertificate(pem, baseUrl, NOW).warnings;

describe('inspectCertificate', () => {
  it('returns no warning for a valid certificate', () => {
    const pem = pemOf({ notBefore: daysFromNow(-1), notAfter: daysFromNow(14) });
    expect(inspectCertificate(pem, 'https://api.example.org', NOW)).toEqual({
      notAfter: daysFromNow(14),
      warnings: [],
    });
  });

  it('warns about a certificate that has expired, is not valid yet, or expires soon', () => {
    expect(warningsOf(pemOf({ notAfter: daysFromNow(-1) }))).toEqual([
      'the certificate expired on 2030-06-14: clients refuse it',
    ]);
    expect(warningsOf(pemOf({ notBefore: daysFromNow(1) }))).toEqual([
      'the certificate is not valid before 2030-06-16: clients refuse it until then',
    ]);
    expect(warningsOf(pemOf({ notAfter: daysFromNow(13.9) }))).toEqual([
      'the certificate expires on 2030-06-29, in 13 days: renew it',
    ]);
    expect(warningsOf(pemOf({ notAfter: daysFromNow(1) }))).toEqual([
      'the certificate expires on 2030-06-16, in 1 day: renew it',
    ]);
  });

  it.each([
    'https://api.example.org',
    'https://x.books.example.org:8443/base',
    'https://192.0.2.7',
  ])('accepts %s', (baseUrl) => {
    expect(warningsOf(pemOf(), baseUrl)).toEqual([]);
  });

  it.each([
    ['https://www.example.org', 'www.example.org'],
    ['https://books.example.org', 'books.example.org'],
    ['https://192.0.2.8', '192.0.2.8'],
    ['https://[2001:db8::1]:8443', '2001:db8::1'],
  ])('warns about %s', (baseUrl, host) => {
    const [warning, ...others] = warningsOf(pemOf(), baseUrl);
    expect(warning).toContain(`the certificate is not for ${host}, the host of BASE_URL`);
    expect(warning).toContain('DNS:api.example.org');
    expect(others).toEqual([]);
  });

  it('ignores the common name, like clients', () => {
    const pem = pemOf({ hosts: undefined }, 'api.example.org');
    expect(warningsOf(pem, 'https://api.example.org')).toEqual([
      expect.stringContaining('it has no subjectAltName'),
    ]);
  });

  it('checks intermediate certificates, and not the root', () => {
    const intermediate = pemOf({ issuer: 'root', notAfter: daysFromNow(3) }, 'between');
    const root = pemOf({ notAfter: daysFromNow(-9) }, 'root');
    const chain = Buffer.concat([pemOf({ issuer: 'between' }), intermediate, root]);
    const { notAfter, warnings } = inspectCertificate(chain, undefined, NOW);
    expect(notAfter).toEqual(daysFromNow(3));
    expect(warnings).toEqual([
      'the intermediate certificate of CN=between expires on 2030-06-18, in 3 days: renew it',
    ]);
  });
});

describe('readCertificate', () => {
  const read = async (cert: string, key: string): Promise<unknown> => {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-certificate-'));
    const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    try {
      await writeFile(TLS_CERT, cert);
      await writeFile(TLS_KEY, key);
      return readCertificate(testSettings({ TLS_CERT, TLS_KEY }));
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  it.each(['X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])(
    'accepts the label %s, and the certificate can be inspected',
    async (label) => {
      const { cert, key } = makeCertificate('api', { hosts: HOSTS, notAfter: daysFromNow(20) });
      const pem = cert.replaceAll('CERTIFICATE', label);
      await expect(read(pem, key)).resolves.toBeDefined();
      expect(inspectCertificate(Buffer.from(pem), undefined, NOW)).toEqual({
        notAfter: daysFromNow(20),
        warnings: [],
      });
    },
  );

  it('rejects a certificate that could not be inspected later', async () => {
    const { cert, key } = makeCertificate('api', { hosts: HOSTS });
    // The 31st of the 13th month. OpenSSL does not check it.
    const text = Buffer.from(cert.replace(/-----.*/g, ''), 'base64').toString('latin1');
    const bytes = Buffer.from(text.replace('491231', '491331'), 'latin1');
    const label = (word: string): string => `-----${word} CERTIFICATE-----`;
    const pem = [label('BEGIN'), bytes.toString('base64'), label('END'), ''].join('\n');
    expect(() => createSecureContext({ cert: pem, key })).not.toThrow();
    await expect(read(pem, key)).rejects.toThrow('TLS_CERT and TLS_KEY cannot be used');
  });

  it('rejects a key of another type than that of the certificate', async () => {
    const { cert } = makeCertificate('api', { hosts: HOSTS });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => createSecureContext({ cert, key })).not.toThrow();
    await expect(read(cert, key)).rejects.toThrow('the key does not match the certificate');
  });
});

describe('followCertificate', () => {
  let folder: string;
  let server: Server;
  let lines: { level: number; msg: string }[];
  let served: ServedCertificate;

  beforeEach(async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'performance', 'queueMicrotask'],
      now: NOW,
    });
    folder = await mkdtemp(join(tmpdir(), 'commonplace-certificate-'));
    lines = [];
  });
  afterEach(async () => {
    jest.useRealTimers();
    server.close();
    await once(server, 'close');
    await rm(folder, { recursive: true });
  });

  async function follow(options: CertificateOptions): Promise<void> {
    const { cert, key } = makeCertificate('api', { hosts: HOSTS, ...options });
    const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(TLS_CERT, cert);
    await writeFile(TLS_KEY, key);
    const settings = testSettings({ TLS_CERT, TLS_KEY, BASE_URL: 'https://api.example.org' });
    const certificate = readCertificate(settings);
    if (!certificate) throw new Error('there is a certificate');
    server = createServer(certificate).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
    served = followCertificate(server, certificate, settings, logger);
  }

  const WARN = 40;
  const warnings = (): string[] =>
    lines.splice(0).flatMap(({ level, msg }) => (level === WARN ? [msg] : []));

  it('logs at once and then daily, from the first day with a warning', async () => {
    await follow({ notAfter: daysFromNow(15.5) });
    expect(served.notAfter).toEqual(daysFromNow(15.5));
    expect(warnings()).toEqual([]);
    jest.advanceTimersByTime(DAY_MS);
    expect(warnings()).toEqual([]);
    for (const days of [13, 12]) {
      jest.advanceTimersByTime(DAY_MS);
      const expected = `the certificate expires on 2030-07-01, in ${days} days: renew it`;
      expect(warnings()).toEqual([expected]);
    }
    jest.advanceTimersByTime(14 * DAY_MS);
    expect(warnings().pop()).toBe('the certificate expired on 2030-07-01: clients refuse it');
  });

  it('logs at start', async () => {
    await follow({ notAfter: daysFromNow(-1) });
    expect(warnings()).toEqual(['the certificate expired on 2030-06-14: clients refuse it']);
  });
});

it('a server logs warnings at start and when the files change, and exposes the expiry', async () => {
  const workshop = await Workshop.open();
  const opened = await openTestDatabase();
  try {
    const [TLS_CERT, TLS_KEY] = [join(workshop.folder, 'c.pem'), join(workshop.folder, 'k.pem')];
    const notAfter = new Date('2021-01-01T00:00:00Z');
    const write = async (options: CertificateOptions): Promise<void> => {
      const { cert, key } = makeCertificate('api', options);
      await writeFile(TLS_CERT, cert);
      await writeFile(TLS_KEY, key);
    };
    await write({ hosts: ['localhost'], notAfter });
    const METRICS_PORT = String(await freePort());
    const BASE_URL = 'https://api.example.org';
    const program = workshop.begin({
      ...{ TLS_CERT, TLS_KEY, METRICS_PORT, BASE_URL },
      DATABASE_URL: opened.url,
    });
    await program.said(/"level":"?(40|warn)"?.*the certificate expired on 2021-01-01/);
    await program.said(/the certificate is not for api\.example\.org, the host of BASE_URL/);
    await program.said(/Ctrl-C\.\n/);
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    expect(text).toContain(
      `commonplace_certificate_expiry_timestamp_seconds ${notAfter.getTime() / 1000}\n`,
    );
    await write({ hosts: ['api.example.org'], notAfter: new Date('2022-02-02T00:00:00Z') });
    await program.said(/the certificate expired on 2022-02-02/);
  } finally {
    await workshop.close();
    await opened.close();
  }
});
