import {
  requireSize,
  resolveRange,
  WrongFileSize,
  type ByteRange,
  type StoredFile,
} from './picture-storage';

/** `Content-Range` of a part; a bucket always knows the size of its files. */
const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/**
 * What the response of a bucket contains: the complete file, or the requested part of it.
 * @param stored size that the file was stored with, if it is known
 * @throws Error that says what is wrong with the response; WrongFileSize; ApiError 416 for a part
 *   outside of the file
 */
export function contentOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  range: ByteRange | undefined,
  stored?: number,
): Omit<StoredFile, 'stream'> {
  if (headers.get('content-encoding') !== null) throw wrong('with another encoding');
  const length = Number(/^\d{1,15}$/.exec(headers.get('content-length') ?? '')?.[0] ?? NaN);
  if (Number.isNaN(length)) throw wrong('without Content-Length');
  if (status === 200) {
    // No picture is empty.
    if (length === 0) throw new WrongFileSize(length);
    requireSize(length, stored);
    return { length, size: length };
  }
  if (status !== 206 || !range) throw wrong(`with status ${status}`);
  const position = headers.get('content-range') ?? '';
  const [, first, last, total] = CONTENT_RANGE.exec(position) ?? [];
  if (total === undefined) throw wrong(`with the range "${position}"`);
  const size = Number(total);
  requireSize(size, stored);
  const part = resolveRange(range, size);
  const isRequested = Number(first) === part.start && Number(last) === part.start + part.length - 1;
  if (!isRequested || length !== part.length) throw wrong(`with another range, "${position}"`);
  return { length, size, range: position };
}

const wrong = (what: string): Error => new Error(`S3 responded ${what}`);
