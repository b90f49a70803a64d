import { connect, type ClientHttp2Session } from 'node:http2';

/** More than a buffer of HAProxy, which passes such a request on before it has read it. */
const LENGTH = 200_000;
const SENT = 194_000;

/** Connections, each with {@link STREAMS} streams. */
const CONNECTIONS = 10;
const STREAMS = 12;

/** Bytes that a server would read as requests if it took the rest of a body for the next request. */
const BODY = Buffer.from(
  'GET /smuggled HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(LENGTH / 30),
).subarray(0, SENT);

/** Sends a request, most of its body, and its end or a reset. @returns the text of its response */
function sendShortened(session: ClientHttp2Session, path: string, at: number): Promise<string> {
  const stream = session.request(
    { ':method': 'POST', ':path': path, 'content-length': String(LENGTH) },
    { endStream: false },
  );
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  stream.on('error', () => undefined);
  stream.write(BODY.subarray(0, 20_000), () => {
    if (stream.destroyed) return;
    if (at % 3 === 0) stream.close();
    else stream.end(BODY.subarray(20_000));
  });
  return new Promise((resolve) => stream.once('close', () => resolve(text)));
}

/**
 * Sends requests over HTTP/2 whose bodies end before the length that they state.
 *
 * @param port of the proxy on this machine, with TLS
 * @param pathOf path of a request, which appears in its response, without a token
 * @returns the complete responses, each with the path of its request
 */
export async function sendShortenedBodies(
  port: number,
  pathOf: (number: number) => string,
  rounds: number,
): Promise<{ path: string; text: string }[]> {
  // Proxies limit the rate of requests of one address.
  const sessions = Array.from({ length: CONNECTIONS }, (_, at) => {
    const localAddress = `127.0.2.${at + 1}`;
    const address = { localAddress, rejectUnauthorized: false };
    const session = connect(`https://127.0.0.1:${port}`, address);
    return session.on('error', () => undefined);
  });
  const responses: { path: string; text: string }[] = [];
  let sent = 0;
  const sendMany = async (session: ClientHttp2Session): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const at = (sent += 1);
      const path = pathOf(at);
      const text = await sendShortened(session, path, at);
      if (text.endsWith('}')) responses.push({ path, text });
    }
  };
  await Promise.all(
    sessions.flatMap((session) => Array.from({ length: STREAMS }, () => sendMany(session))),
  );
  for (const session of sessions) session.destroy();
  return responses;
}
