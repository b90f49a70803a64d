import { createHash, createHmac } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

/** The key that the test's S3 server knows. */
export const KEY = 'KEYOFTHETEST';
export const SECRET = 'secret of the test';

const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/;

/** Whether a request has a valid signature, version 4, in its header Authorization. */
export function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { headers, method = '' } = request;
  const found = AUTHORIZATION.exec(headers.authorization ?? '');
  if (!found || headers['x-amz-content-sha256'] !== sha256(body)) return false;
  const [, key, scope = '', day = '', region = '', names = '', signature] = found;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const signed = names.split(';');
  const canonical = [
    method,
    pathname,
    query,
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const signingKey = [region, 's3', 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac(`AWS4${SECRET}`, day),
  );
  const required = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  return (
    key === KEY &&
    required.every((name) => signed.includes(name)) &&
    hmac(signingKey, text).toString('hex') === signature
  );
}
