import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import { type Logger } from 'pino';
import { type Settings } from './config/settings';

/** Milliseconds between looks at the certificate's files. */
const LOOK_MS = 1000;

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

/**
 * Follows the certificate's files for as long as the server is open: new connections get the new
 * certificate. The files are looked at by their paths, so that they may be replaced by renaming or
 * by turning a link; of a pair that is half written the old one stays.
 */
export function followCertificate(server: Server, settings: Settings, logger: Logger): void {
  const files = [settings.TLS_CERT, settings.TLS_KEY].filter((file) => file !== undefined);
  const look = (): void => {
    try {
      const certificate = readCertificate(settings);
      if (certificate) server.setSecureContext(certificate);
      logger.info('the certificate was read again');
    } catch (error) {
      logger.warn(`the certificate stays as it was: ${(error as Error).message}`);
    }
  };
  for (const file of files) watchFile(file, { interval: LOOK_MS, persistent: false }, look);
  server.on('close', () => {
    for (const file of files) unwatchFile(file, look);
  });
}
