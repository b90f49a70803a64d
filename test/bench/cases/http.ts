import { request } from 'node:http';
import { tokenOf } from '../tokens';
import { type Target } from './case';

const text = (lines: readonly string[], body = ''): string =>
  `${lines.join('\r\n')}\r\n\r\n${body}`;

const fields = (user: number): string[] => [
  'Host: 127.0.0.1',
  `Authorization: Bearer ${tokenOf(user)}`,
  'Accept: */*',
];

/** A GET request of a user, with more header fields. */
export const getOf = (path: string, user: number, more: readonly string[] = []): string =>
  text([`GET ${path} HTTP/1.1`, ...fields(user), ...more]);

/** A POST request of a user with a form. */
export const postOf = (path: string, user: number, form: string): string =>
  text(
    [
      `POST ${path} HTTP/1.1`,
      ...fields(user),
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${Buffer.byteLength(form)}`,
    ],
    form,
  );

/** The entity tag of a path; undefined without one. */
export function etagOf({ port }: Target, path: string, user: number): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${tokenOf(user)}` };
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.headers.etag);
    })
      .on('error', reject)
      .end();
  });
}
