import {
  FILL,
  FRAME_COMPONENTS,
  HUFFMAN_FRAMES,
  LENGTH_BYTES,
  MARKER_BYTES,
  SOS,
} from './jpeg-markers';
import { type PictureFormat } from './picture-formats';

/**
 * Maximum memory in bytes to decode and reduce a picture. A progressive JPEG of 50 million pixels
 * with subsampled colors needs 172 MB, and its file of 3 MB another 16.
 */
export const MAX_DECODER_BYTES = 190_000_000;

/**
 * A picture that needs more memory, in bytes, counts as large. At most one large picture is decoded
 * at once, beside at most one other. Both limits together, and 60 MB for the child process itself,
 * are 295 MB. With messages that it has not freed yet, the measured maximum was 322 MB (307 MiB).
 */
export const LARGE_DECODER_BYTES = 45_000_000;

/** What the library reports of a picture before it decodes it. */
export interface DecodedFormat {
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
  /** Values of a decoded pixel, such as 4 for red, green, blue and alpha. */
  readonly channels: number;
  /** Whether a value takes 16 bits instead of 8. */
  readonly isWide: boolean;
  /** Interlaced (PNG), or in several scans (JPEG), progressive or not. */
  readonly isProgressive: boolean;
}

/** Bytes of a component in the segment of the frame: its id, sampling factors and table. */
const COMPONENT_BYTES = 3;

/** Bytes of a coefficient of JPEG. */
const COEFFICIENT_BYTES = 2;
/**
 * Bytes of a pixel of GIF: the canvas with alpha, the frame, and another canvas. The decoder keeps
 * that one if the frame is followed by what was there before it (disposal 3).
 */
const GIF_BYTES = 9;

/**
 * The memory to reduce a picture, by measurements of new processes with pictures of 1200 to 16,384
 * columns, with and without ICC profiles. It is a constant, and the bytes of that many rows.
 */
const RESIZED_ROWS = { opaque: 2_150, withAlpha: 2_500, ofWholePicture: 1_800 };
/** Encoders, and the picture in its stored size. */
const RESIZE_BYTES = 6_000_000;
/** Columns beyond these count two thirds, because such pictures have fewer rows. */
const FULL_COLUMNS = 7_000;
/** The decoder of JPEG reduces larger pictures itself, to about twice the stored size. */
const JPEG_COLUMNS = 3_000;

/** The components of a frame, relative to the one with the most samples: 1.5 for 4:2:0. */
function relativeSamples(frame: Buffer): number {
  const count = frame[FRAME_COMPONENTS] ?? 0;
  const factors = Array.from({ length: count }, (_, at) => {
    const factor = frame[FRAME_COMPONENTS + 2 + at * COMPONENT_BYTES] ?? 0;
    return { across: factor >> 4, down: factor & 15 };
  });
  const across = Math.max(1, ...factors.map((factor) => factor.across));
  const down = Math.max(1, ...factors.map((factor) => factor.down));
  const samples = factors.reduce((sum, factor) => sum + factor.across * factor.down, 0);
  return samples / (across * down);
}

/**
 * The segment of the frame, and what follows.
 * @throws Error when no frame precedes the first scan. A limit must not accept what it cannot read.
 */
function findFrame(jpeg: Buffer): Buffer {
  let at = MARKER_BYTES;
  while (at + MARKER_BYTES + LENGTH_BYTES <= jpeg.length) {
    const marker = jpeg[at + 1] ?? 0;
    if (jpeg[at] !== FILL || marker === SOS) break;
    if (HUFFMAN_FRAMES.has(marker)) return jpeg.subarray(at);
    // Of a segment whose length is too small, the decoder skips marker and length, too.
    at += MARKER_BYTES + Math.max(LENGTH_BYTES, jpeg.readUInt16BE(at + MARKER_BYTES));
  }
  throw new Error('the JPEG has no frame before its first scan');
}

/**
 * Coefficients for each pixel that the decoder of JPEG keeps: all if they are in several scans,
 * otherwise none. Files that are not progressive may have several scans, too.
 * @param jpeg without bytes between its segments, as `relevantSegments` returns it
 * @throws Error when the frame is not found, or is not the one that the decoder has read
 */
function coefficientsPerPixel(jpeg: Buffer, { channels, isProgressive }: DecodedFormat): number {
  const frame = findFrame(jpeg);
  if (frame[FRAME_COMPONENTS] !== channels) {
    throw new Error(`the decoder has read ${channels} components of the JPEG, unlike its frame`);
  }
  return isProgressive ? relativeSamples(frame) : 0;
}

/**
 * The memory in bytes that a decoder needs for the whole picture. Decoders that return the picture
 * row by row need none.
 *
 * - JPEG: all coefficients, if they are in several scans (`jdmaster.c` of libjpeg-turbo)
 * - PNG: all pixels, if it is interlaced (`spngload.c` of libvips)
 * - GIF: the canvases and the frame (`nsgifload.c` and `nsgif.c` of libvips)
 *
 * @param bytes the file without its metadata
 * @throws Error for a JPEG without a frame before its first scan
 */
export function wholePictureBytes(bytes: Buffer, picture: DecodedFormat): number {
  const pixels = picture.width * picture.height;
  if (picture.format === 'jpeg') {
    return pixels * coefficientsPerPixel(bytes, picture) * COEFFICIENT_BYTES;
  }
  if (picture.format === 'gif') return pixels * GIF_BYTES;
  return picture.isProgressive ? pixels * bytesPerPixel(picture) : 0;
}

const bytesPerPixel = ({ channels, isWide }: DecodedFormat): number => channels * (isWide ? 2 : 1);

/** Copies of a file: of the process that receives it, without its metadata, and of the decoder. */
const FILE_COPIES = 5;

/** The memory in bytes of the copies of a file. */
export const fileBytes = ({ length }: Buffer): number => length * FILE_COPIES;

/** The number of rows that are in memory while a picture is reduced. */
function resizedRows({ channels }: DecodedFormat, isInMemory: boolean): number {
  if (isInMemory) return RESIZED_ROWS.ofWholePicture;
  // An even number: grey or colors with alpha. CMYK needs as much.
  return channels % 2 === 0 ? RESIZED_ROWS.withAlpha : RESIZED_ROWS.opaque;
}

/**
 * The memory in bytes to reduce a picture to its stored size, in sRGB.
 * @param isInMemory whether the decoder keeps the whole picture, which has its own bytes
 */
export function resizeBytes(picture: DecodedFormat, isInMemory: boolean): number {
  const { format, width } = picture;
  const columns = format === 'jpeg' ? Math.min(width, JPEG_COLUMNS) : width;
  const beyond = Math.max(0, columns - FULL_COLUMNS);
  const weighted = columns - beyond / 3;
  const rows = resizedRows(picture, isInMemory);
  return RESIZE_BYTES + Math.ceil(weighted * bytesPerPixel(picture) * rows);
}

/**
 * The memory in bytes to decode a picture and reduce it to its stored size.
 * @throws Error like {@link wholePictureBytes}
 */
export function decoderBytes(bytes: Buffer, picture: DecodedFormat): number {
  const whole = wholePictureBytes(bytes, picture);
  return whole + resizeBytes(picture, whole > 0);
}
