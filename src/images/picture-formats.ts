/** Formats that pictures may come in (specification section 7, code 1009). */
export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'bmp';

/** Pixels that a side may have, and the picture as a whole. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 50_000_000;

/** Whether a picture of this size is taken: what a header claims costs that memory to decode. */
export const isReasonable = (width: number, height: number): boolean =>
  width >= 1 &&
  height >= 1 &&
  width <= MAX_SIDE &&
  height <= MAX_SIDE &&
  width * height <= MAX_PIXELS;

/** Sizes that the second header of a BMP has had in its versions. */
const BMP_HEADERS = new Set([12, 40, 52, 56, 64, 108, 124]);

/**
 * What a file claims to be by its first bytes, its name and declared type aside; undefined for
 * anything but the formats that are taken. `BM` alone begins many a text: a BMP must have a header
 * that exists, too.
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
