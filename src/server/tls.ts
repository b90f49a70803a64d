import { unwatchFile, watchFile } from 'node:fs';
import { type Server } from 'node:tls';
import { type Logger } from 'pino';
import { errorText } from '../api/errors/error-text';
import { TLS_OPTIONS } from '../api/http/servers';
import { handshakeLimiterOf } from '../api/http/tls-handshakes';
import { inspectCertificate, type CertificateReport } from '../app.certificate';
import { type Settings } from '../config/settings';
import { type Certificate, readCertificate } from './certificate';

/** Milliseconds between checks of the certificate's files. */
const LOOK_MS = 1000;
/** Milliseconds between warnings about a certificate that clients reject. */
const DAY_MS = 86_400_000;

/** The certificate that a server currently uses. */
export interface ServedCertificate {
  /** Earliest expiry of it and its chain. */
  readonly notAfter: Date;
}

/**
 * Reloads the certificate when its files change, for new connections, until the server closes. It
 * polls the paths, so the files may be replaced by a rename or a symbolic link. While a pair is
 * incomplete or does not match, the old certificate stays. It warns at start, on changes and daily
 * about a certificate that clients reject, or soon will.
 *
 * @param certificate the current certificate
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
      server.setSecureContext({ ...TLS_OPTIONS, ...changed });
      handshakeLimiterOf(server)?.adjustToKey(changed.key);
      served = changed;
      logger.info('certificate reloaded');
    } catch (error) {
      logger.warn(
        `cannot reload the certificate; the previous one stays in use: ${errorText(error)}`,
      );
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
