import { connect } from 'node:net';

/**
 * Sends bytes to the server at `origin`. @returns the bytes that it sends until it closes the
 * connection
 */
export function sendBytes(origin: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (response += chunk));
    socket.on('end', () => {
      resolve(response);
    });
    socket.on('error', reject);
    socket.write(bytes);
  });
}

/** A request without a body, after which the connection is closed. */
export const bytesOf = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: api.test', 'Connection: close', ...headers, '', ''].join('\r\n');
