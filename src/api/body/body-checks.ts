import { isUtf8 } from 'node:buffer';
import multer from 'multer';
import { malformed } from '../errors/errors';
import { type ApiRequest } from '../http/request-context';
import { isNestedDeeper, MAX_JSON_DEPTH } from './json-depth';
import { type Uploads } from './uploads';

/** Characters of a multipart body's boundary at most (RFC 2046, section 5.1.1). */
const MAX_BOUNDARY = 70;

/** POST and PUT bodies are UTF-8 (specification section 1); another charset is unreadable (D5). */
export function checkCharset(request: ApiRequest): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw malformed('the body must be UTF-8');
  }
}

/** The boundary that a multipart body says it has; undefined when it says none. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary !== undefined && boundary.length > MAX_BOUNDARY) {
    throw malformed(`multipart: the boundary has more than ${MAX_BOUNDARY} characters`);
  }
  return boundary;
}

/** The parser puts a status of its own on what a check throws; the type tells what it was. */
const bodyError = (type: string): Error => Object.assign(new Error(type), { type });

/** Bytes that are no UTF-8 would be stored as question marks, and be lost. */
function checkBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw bodyError('encoding.not.utf8');
}

/** JSON is UTF-8, and nested no deeper than {@link MAX_JSON_DEPTH}. */
export function checkJson(_request: unknown, _response: unknown, bytes: Buffer): void {
  checkBytes(bytes);
  if (isNestedDeeper(bytes)) throw bodyError('nested.too.deep');
}

/** A form is UTF-8, where it is percent-encoded too; a lone percent sign is let be. */
export function checkForm(_request: unknown, _response: unknown, bytes: Buffer): void {
  checkBytes(bytes);
  for (const [run] of bytes.toString('latin1').matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    if (!isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'))) throw bodyError('encoding.not.utf8');
  }
}

/** Whether text could be decoded: busboy gives undefined, or the replacement character, if not. */
const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\ufffd');

/**
 * Checks the fields of a multipart body and counts them. A name may end in `[]`, which makes a list
 * of its values; names with anything in brackets would make structures that no parameter has.
 *
 * Parts whose bytes are no text in UTF-8, or in the charset that they name, are refused: dropping
 * one would make a private thing public, say (D5).
 *
 * @returns how many fields there are, those of lists each
 * @throws ApiError 999
 */
export function checkFields(body: Readonly<Record<string, unknown>>, uploads: Uploads): number {
  let count = 0;
  for (const [name, given] of Object.entries(body)) {
    // A picture without a file name arrives as text, out of which it cannot be made again.
    if (uploads.field.test(name) && given !== '') {
      throw malformed('multipart: a picture has no file name');
    }
    const values: unknown[] = Array.isArray(given) ? given : [given];
    if (values.some((value) => typeof value === 'object')) {
      throw malformed('multipart: a name has something in brackets');
    }
    if (!isText(name) || !values.every(isText)) {
      throw malformed('multipart: a part is no UTF-8 text');
    }
    count += values.length;
  }
  return count;
}

/** Busboy's own errors (a cut or wrong multipart body) carry neither status nor type. */
export function toBodyError(error: unknown): Error {
  if (error instanceof multer.MulterError) return error;
  const known = error as Partial<{ status: number }> & Error;
  return known.status === undefined ? malformed(`multipart: ${known.message}`) : known;
}

/** What a body that is nested too deep is answered with, for the table of body errors. */
export const TOO_DEEP = `the body is nested deeper than ${MAX_JSON_DEPTH} levels`;
