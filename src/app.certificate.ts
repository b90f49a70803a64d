import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

const DAY_MS = 86_400_000;

/** Days before the end of a certificate in which it should have been renewed. */
const RENEWAL_DAYS = 14;

/** Certificates with one of the labels that OpenSSL, and so the server, accepts. */
const PEM = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([^-]+)-----END/g;

/** Parses the certificates of a PEM file, with the label that `X509Certificate` accepts. */
const parseCertificates = (pem: Buffer): X509Certificate[] =>
  Array.from(
    pem.toString('latin1').matchAll(PEM),
    ([, text = '']) =>
      new X509Certificate(`-----BEGIN CERTIFICATE-----${text}-----END CERTIFICATE-----`),
  );

/**
 * Whether the first certificate of a file belongs to a key. `createSecureContext` does not compare
 * keys of different types.
 *
 * @param key PEM
 * @throws Error if one of them cannot be parsed
 */
export function matchesKey(pem: Buffer, key: Buffer): boolean {
  return parseCertificates(pem)[0]?.checkPrivateKey(createPrivateKey(key)) === true;
}

/** Result of the inspection of a certificate. */
export interface CertificateReport {
  /** When it ends; when the first of its chain ends, if that is earlier. */
  readonly notAfter: Date;
  /** Reasons why clients reject it, now or soon; a sentence each. */
  readonly warnings: readonly string[];
}

/** A certificate issues itself at the end of a chain; clients ignore it. */
const isRoot = (certificate: X509Certificate): boolean =>
  certificate.subject === certificate.issuer;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** @param name of the certificate, for the sentence */
function lifetimeWarning(
  name: string,
  certificate: X509Certificate,
  now: Date,
): string | undefined {
  const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  if (now < from) return `${name} is not valid before ${dayOf(from)}: clients refuse it until then`;
  if (now > to) return `${name} expired on ${dayOf(to)}: clients refuse it`;
  const days = Math.floor((to.getTime() - now.getTime()) / DAY_MS);
  if (days >= RENEWAL_DAYS) return undefined;
  return `${name} expires on ${dayOf(to)}, in ${days} ${days === 1 ? 'day' : 'days'}: renew it`;
}

/** Clients look at `subjectAltName` alone (RFC 9525, section 2). */
function nameWarning(certificate: X509Certificate, host: string): string | undefined {
  const covered =
    isIP(host) === 0
      ? certificate.checkHost(host, { subject: 'never' })
      : certificate.checkIP(host);
  if (covered !== undefined) return undefined;
  const names = certificate.subjectAltName ?? 'it has no subjectAltName';
  return `the certificate is not for ${host}, the host of BASE_URL: clients refuse it (${names})`;
}

/** The host in an address, as certificates have it: IPv6 without brackets. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/^\[|\]$/g, '');

/**
 * Looks at a certificate as a client would.
 *
 * @param pem the certificate, and the chain after it
 * @param baseUrl address whose host it must cover; not checked when absent
 * @throws Error if there is no certificate, or one cannot be parsed
 */
export function inspectCertificate(
  pem: Buffer,
  baseUrl: string | undefined,
  now: Date,
): CertificateReport {
  const [own, ...others] = parseCertificates(pem);
  if (!own) throw new Error('there is no certificate');
  const chain = others.filter((certificate) => !isRoot(certificate));
  const warnings = [
    lifetimeWarning('the certificate', own, now),
    baseUrl === undefined ? undefined : nameWarning(own, hostOf(baseUrl)),
    ...chain.map((certificate) => {
      const name = certificate.subject.replaceAll('\n', ', ');
      return lifetimeWarning(`the intermediate certificate of ${name}`, certificate, now);
    }),
  ];
  const ends = [own, ...chain].map(({ validTo }) => Date.parse(validTo));
  return {
    notAfter: new Date(Math.min(...ends)),
    warnings: warnings.filter((warning) => warning !== undefined),
  };
}
