import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { errorText } from '../api/errors/error-text';
import { inspectCertificate, matchesKey } from '../app.certificate';
import { type Settings } from '../config/settings';

/** A certificate with its chain, and its key, both PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * The certificate of `TLS_CERT` and `TLS_KEY`, or undefined when they are not set.
 *
 * @throws Error with a one-sentence message when they cannot be read, parsed or inspected, or do not match
 */
export function readCertificate({ TLS_CERT, TLS_KEY }: Settings): Certificate | undefined {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined;
  try {
    const certificate = { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
    createSecureContext(certificate);
    // A later inspection must not end the server.
    inspectCertificate(certificate.cert, undefined, new Date());
    if (!matchesKey(certificate.cert, certificate.key)) {
      throw new Error('the key does not match the certificate');
    }
    return certificate;
  } catch (error) {
    throw new Error(`TLS_CERT and TLS_KEY cannot be used: ${errorText(error)}`, {
      cause: error,
    });
  }
}
