import { isUtf8 } from 'node:buffer';
import multer from 'multer';
import { malformed } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { percentDecoded, replacePlusSigns } from '../http/form-encoding';
import { isNestedDeeper, MAX_JSON_DEPTH } from './json-depth';
import { hasTooManyValues } from './json-values';
import { type Uploads } from './uploads';

/** Maximum length of a multipart boundary (RFC 2046, section 5.1.1). */
const MAX_BOUNDARY = 70;

/** POST and PUT bodies are UTF-8 (specification section 1); the service rejects others (D5). */
export function checkCharset(request: ApiRequest): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw malformed('the body must be UTF-8');
  }
}

/** The boundary in a multipart Content-Type, or undefined. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary !== undefined && boundary.length > MAX_BOUNDARY) {
    throw malformed(`multipart: the boundary has more than ${MAX_BOUNDARY} characters`);
  }
  return boundary;
}

/** The parser overwrites the status of errors from a check; `type` identifies the error. */
const bodyError = (type: string): Error => Object.assign(new Error(type), { type });

/** Decoding would replace invalid UTF-8 by replacement characters, and lose data. */
function checkBytes(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw bodyError('encoding.not.utf8');
}

/**
 * Rejects JSON that is not UTF-8, is nested deeper than {@link MAX_JSON_DEPTH} or has too many
 * values.
 *
 * @param most maximum number of values
 */
export const checkJson =
  (most: number) =>
  (_request: unknown, _response: unknown, bytes: Buffer): void => {
    checkBytes(bytes);
    if (isNestedDeeper(bytes)) throw bodyError('nested.too.deep');
    if (hasTooManyValues(bytes, most)) throw bodyError('parameters.too.many');
  };

/**
 * Rejects a form that is not UTF-8, also where percent-encoded; lone percent signs are valid. It
 * replaces plus signs by spaces.
 */
export function checkForm(_request: unknown, _response: unknown, bytes: Buffer): void {
  checkBytes(bytes);
  checkBytes(percentDecoded(bytes));
  replacePlusSigns(bytes);
}

/** Whether busboy decoded the text: otherwise it returns undefined or a replacement character. */
const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\ufffd');

/**
 * Checks the fields of a multipart body and counts them. A name may end in `[]`, which collects its
 * values in a list; a name with text in brackets would create nested objects, which no parameter
 * has.
 *
 * Rejects parts that are not text in UTF-8 or in their own charset: to drop a part could, for
 * example, make a private note public (D5).
 *
 * @returns the number of fields; each element of a list counts
 * @throws ApiError 999
 */
export function checkFields(body: Readonly<Record<string, unknown>>, uploads: Uploads): number {
  let count = 0;
  for (const [name, sent] of Object.entries(body)) {
    // The parser decodes a picture without a file name as text, which destroys its bytes.
    if (uploads.field.test(name) && sent !== '') {
      throw malformed('multipart: a picture part has no file name');
    }
    const values: unknown[] = Array.isArray(sent) ? sent : [sent];
    if (values.some((value) => typeof value === 'object')) {
      throw malformed('multipart: a part name contains brackets');
    }
    if (!isText(name) || !values.every(isText)) {
      throw malformed('multipart: a part is not UTF-8 text');
    }
    count += values.length;
  }
  return count;
}

/** Errors of busboy (a truncated or malformed multipart body) have neither status nor type. */
export function toBodyError(error: unknown): Error {
  if (error instanceof multer.MulterError) return error;
  const failure = error as Partial<{ status: number }> & Error;
  return failure.status === undefined ? malformed(`multipart: ${failure.message}`) : failure;
}

/** Detail for a body that is nested too deep, for the table of body errors. */
export const TOO_DEEP = `the body is nested deeper than ${MAX_JSON_DEPTH} levels`;
