import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { type Logger } from 'pino';
import { inspectCertificate, type CertificateReport } from '../app.certificate';
import { type Settings } from '../config/settings';

/** Milliseconds between looks at the certificate's files. */
const LOOK_MS = 1000;
/** Milliseconds between warnings of a certificate that clients do not accept. */
const DAY_MS = 86_400_000;

/** A certificate with its chain, and its key, both PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * The certificate of `TLS_CERT` and `TLS_KEY`, or undefined when they are not set.
 *
 * @throws Error in one sentence when they cannot be read, or do not belong together
 */
export function readCertificate({ TLS_CERT, TLS_KEY }: Settings): Certificate | undefined {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined;
  try {
    const certificate = { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new Error(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A certificate that a server serves, for as long as the server is open. */
export interface ServedCertificate {
  /** When it, or a certificate of its chain, ends. */
  readonly notAfter: Date;
}

/**
 * Follows the certificate's files for as long as the server is open: new connections get the new
 * certificate. The files are looked at by their paths, so that they may be replaced by renaming or
 * by turning a link; of a pair that is half written the old one stays. What clients do not accept, or
 * soon will not, is warned of now, when the files change, and daily.
 *
 * @param certificate that is served now
 */
export function followCertificate(
  server: Server,
  certificate: Certificate,
  settings: Settings,
  logger: Logger,
): ServedCertificate {
  const files = [settings.TLS_CERT, settings.TLS_KEY].filter((file) => file !== undefined);
  let served = certificate;
  const inspect = (): CertificateReport =>
    inspectCertificate(served.cert, settings.BASE_URL, new Date());
  const warn = (): void => {
    for (const warning of inspect().warnings) logger.warn(warning);
  };
  const look = (): void => {
    try {
      const changed = readCertificate(settings);
      if (!changed) return;
      server.setSecureContext(changed);
      served = changed;
      logger.info('the certificate was read again');
    } catch (error) {
      logger.warn(`the certificate stays as it was: ${(error as Error).message}`);
    }
    warn();
  };
  warn();
  for (const file of files) watchFile(file, { interval: LOOK_MS, persistent: false }, look);
  const daily = setInterval(warn, DAY_MS).unref();
  server.on('close', () => {
    clearInterval(daily);
    for (const file of files) unwatchFile(file, look);
  });
  return {
    get notAfter() {
      return inspect().notAfter;
    },
  };
}
