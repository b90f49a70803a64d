import { type PictureFormat } from './picture-formats';

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

/** Begins each marker of JPEG. */
const FILL = 0xff;
const SOS = 0xda;
/** Frames of JPEG by their coding: baseline, extended and progressive. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Bytes of the marker of a segment of JPEG, and of its length, which counts its own. */
const MARKER_BYTES = 2;
const LENGTH_BYTES = 2;

/** Offset of the number of components in the segment of a frame, from its marker. */
const FRAME_COMPONENTS = 9;
/** Bytes of a component in the segment of the frame: its id, sampling factors and table. */
const COMPONENT_BYTES = 3;

/** Bytes of a coefficient of JPEG. */
const COEFFICIENT_BYTES = 2;
/** Bytes of a pixel of GIF: the canvas with alpha, and the frame. */
const GIF_BYTES = 5;

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
    if (FRAMES.has(marker)) return jpeg.subarray(at);
    // As the decoder skips segments with a length that is too small.
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
 * - GIF: the canvas and the frame (`nsgifload.c` of libvips)
 *
 * @param bytes the file without its metadata
 * @throws Error for a JPEG without a frame before its first scan
 */
export function decoderBytes(bytes: Buffer, picture: DecodedFormat): number {
  const pixels = picture.width * picture.height;
  if (picture.format === 'jpeg') {
    return pixels * coefficientsPerPixel(bytes, picture) * COEFFICIENT_BYTES;
  }
  if (picture.format === 'gif') return pixels * GIF_BYTES;
  return picture.isProgressive ? pixels * picture.channels * (picture.isWide ? 2 : 1) : 0;
}
