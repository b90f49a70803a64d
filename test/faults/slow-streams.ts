import { connect, type ClientHttp2Stream } from 'node:http2';

/** Bytes of a body before its end: more than a buffer of HAProxy, which then passes on the request. */
const SENT_BYTES = 80_000;

/** Requests over HTTP/2 whose bodies never end. */
export interface SlowStreams {
  /** Number of requests that the proxy refused so far: with a status or by ending the stream. */
  refused(): number;
  close(): void;
}

/**
 * Sends requests over HTTP/2 whose bodies never end.
 *
 * @param port of the proxy on this machine, with TLS
 */
export function openSlowStreams(
  port: number,
  path: string,
  token: string,
  { connections, each }: { connections: number; each: number },
): SlowStreams {
  const refused = new Set<ClientHttp2Stream>();
  const sessions = Array.from({ length: connections }, () => {
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.on('error', () => undefined);
    session.on('connect', () => {
      for (let at = 0; at < each; at += 1) {
        const stream = session.request(
          {
            ...{ ':method': 'POST', ':path': path, authorization: `Bearer ${token}` },
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(10 * SENT_BYTES),
          },
          { endStream: false },
        );
        const refuse = (): void => void refused.add(stream);
        stream.on('response', refuse).on('error', refuse).on('close', refuse);
        stream.write(Buffer.alloc(SENT_BYTES, 'a'));
      }
    });
    return session;
  });
  return {
    refused: () => refused.size,
    close: () => sessions.forEach((session) => session.destroy()),
  };
}
