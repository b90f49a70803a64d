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
  /** Interlaced (PNG) or progressive (JPEG). */
  readonly isProgressive: boolean;
}

const SOS = 0xda;
/** Frames of JPEG by their coding: baseline, extended and progressive. */
const [SOF0, SOF1, SOF2] = [0xc0, 0xc1, 0xc2];

/** Offsets in a segment of JPEG, from its marker: the frame's components, the scan's components. */
const FRAME_COMPONENTS = 9;
const SCAN_COMPONENTS = 4;
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
 * Coefficients for each pixel that the decoder of JPEG keeps: all if they are in several scans,
 * otherwise none. Files that are not progressive may have several scans, too.
 * @param jpeg without bytes between its segments, as `relevantSegments` returns it
 */
function coefficientsPerPixel(jpeg: Buffer): number {
  let frame: Buffer | undefined;
  for (let at = 2; at + 4 <= jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === SOF0 || marker === SOF1 || marker === SOF2) frame ??= jpeg.subarray(at);
    if (marker !== SOS) continue;
    if (!frame) return 0;
    const components = jpeg[at + SCAN_COMPONENTS] ?? 0;
    const isSplit = frame[1] === SOF2 || components < (frame[FRAME_COMPONENTS] ?? 0);
    return isSplit ? relativeSamples(frame) : 0;
  }
  return 0;
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
 */
export function decoderBytes(bytes: Buffer, picture: DecodedFormat): number {
  const pixels = picture.width * picture.height;
  if (picture.format === 'jpeg') return pixels * coefficientsPerPixel(bytes) * COEFFICIENT_BYTES;
  if (picture.format === 'gif') return pixels * GIF_BYTES;
  return picture.isProgressive ? pixels * picture.channels * (picture.isWide ? 2 : 1) : 0;
}
