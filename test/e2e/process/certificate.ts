import { generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate that signs itself, and its key, PEM. */
export interface Made {
  readonly cert: string;
  readonly key: string;
}

// Just enough of DER (ITU-T X.690) for a certificate (RFC 5280, section 4.1).
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const bits = (body: Buffer): Buffer => der(0x03, Buffer.from([0]), body);
const time = (text: string): Buffer => der(0x17, Buffer.from(text));

/** ecdsa-with-SHA256 and commonName. */
const SIGNED_BY = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'));

const pem = (name: string, body: Buffer): string =>
  `-----BEGIN ${name}-----\n${body.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${name}-----\n`;

/** Options of a certificate besides its name. */
export interface CertificateOptions {
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Host names and IPv4 addresses of its `subjectAltName`; of version 1, without any, when absent. */
  readonly hosts?: readonly string[];
  /** Name of who issued it; itself when not given. The signature is its own anyway. */
  readonly issuer?: string;
}

/** `subjectAltName` (RFC 5280, section 4.2.1.6). */
const SUBJECT_ALT_NAME = der(0x06, Buffer.from('551d11', 'hex'));

function extensions(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIPv4(host)
      ? der(0x87, Buffer.from(host.split('.').map(Number)))
      : der(0x82, Buffer.from(host)),
  );
  const extension = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...names)));
  return der(0xa3, sequence(extension));
}

/** `yyMMddHHmmssZ`, of the years 1950 to 2049. */
const utcTime = (date: Date): Buffer =>
  time(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`);

const nameOf = (name: string): Buffer =>
  sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));

/** Makes a certificate for a name. */
export function makeCertificate(name: string, options: CertificateOptions = {}): Made {
  const {
    notBefore = new Date('2020-01-01T00:00:00Z'),
    notAfter = new Date('2049-12-31T23:59:59Z'),
    hosts,
    issuer = name,
  } = options;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body = sequence(
    ...(hosts ? [der(0xa0, der(0x02, Buffer.from([2])))] : []),
    der(0x02, Buffer.from([1])),
    SIGNED_BY,
    nameOf(issuer),
    sequence(utcTime(notBefore), utcTime(notAfter)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(hosts ? [extensions(hosts)] : []),
  );
  const certificate = sequence(body, SIGNED_BY, bits(sign('sha256', body, privateKey)));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
