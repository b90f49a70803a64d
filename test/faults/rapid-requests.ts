import { connect } from 'node:http2';

/** Requests in progress at once: fewer than a proxy permits. */
const AT_ONCE = 80;

/** Proxies limit the rate of requests of an address: other tests have another one. */
const ADDRESS = { localAddress: '127.0.0.4', rejectUnauthorized: false };

/**
 * Sends GET requests over one HTTP/2 connection without a pause, until one gets a 503.
 *
 * @param port of the proxy on this machine, with TLS
 * @returns the number of requests that were sent
 */
export async function requestUntilRefused(port: number, path: string): Promise<number> {
  const session = connect(`https://127.0.0.1:${port}`, ADDRESS);
  let sent = 0;
  try {
    await new Promise<void>((refused, reject) => {
      session.on('error', reject);
      const next = (): void => {
        if (session.destroyed) return;
        sent += 1;
        const stream = session.request({ ':path': path });
        stream.on('response', ({ ':status': status }) => {
          if (status === 503) refused();
        });
        stream.on('error', reject).on('close', next).resume();
      };
      for (let at = 0; at < AT_ONCE; at += 1) next();
    });
    return sent;
  } finally {
    session.destroy();
  }
}
