import { ApiError } from '../api/errors/error-codes';

/** Accepted picture formats (specification section 7, code 1009). */
export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'bmp';

/** Maximum number of pixels of a side and of the picture. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 50_000_000;

/** Whether the size is accepted: decoding allocates the claimed size (decompression bombs). */
export const isWithinPixelLimits = (width: number, height: number): boolean =>
  width >= 1 &&
  height >= 1 &&
  width <= MAX_SIDE &&
  height <= MAX_SIDE &&
  width * height <= MAX_PIXELS;

/** Sizes of the second header in the versions of BMP. */
const BMP_HEADERS = new Set([12, 40, 52, 56, 64, 108, 124]);

/**
 * Detects the format from the first bytes, regardless of name and declared type; undefined for
 * other formats. `BM` also begins many texts, so a BMP must have a valid header size.
 */
export function formatOf(bytes: Buffer): PictureFormat | undefined {
  const starts = (signature: string): boolean =>
    bytes.subarray(0, signature.length).toString('latin1') === signature;
  if (starts('\xff\xd8\xff')) return 'jpeg';
  if (starts('\x89PNG\r\n\x1a\n')) return 'png';
  if (starts('GIF87a') || starts('GIF89a')) return 'gif';
  const isBmp = starts('BM') && bytes.length >= 18 && BMP_HEADERS.has(bytes.readUInt32LE(14));
  return isBmp ? 'bmp' : undefined;
}

/** Detects the format as {@link formatOf}. @throws ApiError 1008 for other formats */
export function requireFormat(bytes: Buffer): PictureFormat {
  const format = formatOf(bytes);
  if (format !== undefined) return format;
  throw new ApiError('imageUnknown', {
    detail: 'the picture must be a JPEG, GIF, PNG or BMP file',
  });
}
