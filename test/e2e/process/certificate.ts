import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that signs itself, and its key, PEM. */
export interface Made {
  readonly cert: string;
  readonly key: string;
}

// Just enough of DER (ITU-T X.690) for a certificate of version 1 (RFC 5280, section 4.1).
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
  `-----BEGIN ${name}-----\n${body.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${name}-----\n`;

/** Makes a certificate for a name. */
export function makeCertificate(name: string): Made {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const named = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const body = sequence(
    der(0x02, Buffer.from([1])),
    SIGNED_BY,
    named,
    sequence(time('200101000000Z'), time('491231235959Z')),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const whole = sequence(body, SIGNED_BY, bits(sign('sha256', body, privateKey)));
  return {
    cert: pem('CERTIFICATE', whole),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
