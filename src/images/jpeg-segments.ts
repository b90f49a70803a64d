import { isAllowedProfile } from './color-profile';
import { orientationOnly } from './exif-orientation';
import {
  EOI,
  FILL,
  FRAME_COMPONENTS,
  HUFFMAN_FRAMES,
  LENGTH_BYTES,
  MARKER_BYTES,
  RST0,
  RST7,
  SOI,
  SOS,
} from './jpeg-markers';

const TEM = 0x01;
const [APP0, APP1, APP2, APP14, APP15, COM] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];
const [DHT, DAC, DQT, DNL, DRI] = [0xc4, 0xcc, 0xdb, 0xdc, 0xdd];

/** First bytes of an application segment with Exif metadata. */
const EXIF_PREFIX = 'Exif\0\0';
/** First bytes of an application segment with a part of an ICC profile. */
const PROFILE_PREFIX = 'ICC_PROFILE\0';

/**
 * Application segments that affect how pixels are decoded (JFIF and Adobe: color space; ICC profile;
 * Exif: orientation), with their first bytes and maximum number. A profile has at most 255 parts.
 */
const RELEVANT = new Map([
  [APP0, { prefix: 'JFIF\0', max: 1 }],
  [APP1, { prefix: EXIF_PREFIX, max: 1 }],
  [APP2, { prefix: PROFILE_PREFIX, max: 255 }],
  [APP14, { prefix: 'Adobe', max: 1 }],
]);

const START = Buffer.from([FILL, SOI]);

/**
 * Markers in the same range that begin no frame: Huffman tables, a reserved marker, arithmetic
 * conditioning.
 */
const NON_FRAME_MARKERS = new Set([0xc4, 0xc8, 0xcc]);

/**
 * Whether a marker begins a frame without Huffman coding, such as one with arithmetic coding. Cameras
 * and editors do not write these. The decoder reads missing data of arithmetic scans as zeros without
 * a warning, so small files can take long to decode.
 */
const isUnsupportedFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && !HUFFMAN_FRAMES.has(marker) && !NON_FRAME_MARKERS.has(marker);

/** Segments that decoding needs besides the frame: tables, and the restart interval. */
const TABLES = new Set([DHT, DQT, DRI]);

/** Segments without metadata that the decoder skips, or does not use without arithmetic coding. */
const UNUSED = new Set([DAC, DNL]);

/** Offset of the bits of a sample in the segment of a frame, from its marker. */
const FRAME_PRECISION = 4;

/** Other precisions end in an error of the decoder, but may need its memory first. */
const SUPPORTED_PRECISION = 8;

/** Components of grayscale, color, and CMYK. */
const SUPPORTED_COMPONENTS = new Set([1, 3, 4]);

const isMetadata = (marker: number): boolean =>
  marker === COM || (marker >= APP0 && marker <= APP15);

const startsWith = (content: Buffer, prefix: string): boolean =>
  content.toString('latin1', 0, prefix.length) === prefix;

/** Markers that decoders skip where they expect a segment, and data. */
const isSkipped = (marker: number): boolean =>
  marker === 0 || marker === TEM || (marker >= RST0 && marker <= RST7);

/** The segment of Exif metadata with the orientation alone. */
function exifSegment(exif: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(EXIF_PREFIX, 'latin1'), orientationOnly(exif)]);
  const head = Buffer.from([FILL, APP1, 0, 0]);
  head.writeUInt16BE(LENGTH_BYTES + content.length, MARKER_BYTES);
  return Buffer.concat([head, content]);
}

/** Bytes of a segment before its part of a profile: marker, length, prefix, number and count. */
const PART_HEAD = MARKER_BYTES + LENGTH_BYTES + PROFILE_PREFIX.length + 2;

/** The segments of a profile in its order; none if it is incomplete or not applied. */
function profileSegments(segments: readonly Buffer[]): readonly Buffer[] {
  const numberOf = (segment: Buffer): number => segment[PART_HEAD - 2] ?? 0;
  const parts = segments.toSorted((one, other) => numberOf(one) - numberOf(other));
  const isComplete = parts.every(
    (part, at) => numberOf(part) === at + 1 && part[PART_HEAD - 1] === parts.length,
  );
  const profile = Buffer.concat(parts.map((part) => part.subarray(PART_HEAD)));
  return isComplete && isAllowedProfile(profile) ? parts : [];
}

/** More bytes than {@link exifSegment} may need beyond those that it replaces. */
const MARGIN = 64;

/** Decides which segments of metadata of one JPEG remain. */
class MetadataFilter {
  private readonly kept = new Map<number, number>();
  private readonly ofProfile: Buffer[] = [];

  /** The segments of the profile, which follow all others. */
  get profile(): readonly Buffer[] {
    return profileSegments(this.ofProfile);
  }

  /** @returns the segment, its replacement, or undefined */
  filter(marker: number, segment: Buffer): Buffer | undefined {
    const limits = RELEVANT.get(marker);
    if (!limits) return undefined;
    const { prefix, max } = limits;
    const content = segment.subarray(MARKER_BYTES + LENGTH_BYTES);
    const count = this.kept.get(marker) ?? 0;
    if (count >= max || !startsWith(content, prefix)) return undefined;
    this.kept.set(marker, count + 1);
    if (marker === APP2) {
      this.ofProfile.push(segment);
      return undefined;
    }
    return marker === APP1 ? exifSegment(content.subarray(prefix.length)) : segment;
  }
}

/**
 * Decides which segments before the first scan remain. Each of them is as long as its length says,
 * so that all readers of the result find the same segments.
 * @param segment with its marker
 * @returns the segment, its replacement, or undefined
 * @throws Error for segments that the decoder rejects, and for an unsupported number of components
 */
function filterSegment(
  marker: number,
  segment: Buffer,
  metadata: MetadataFilter,
): Buffer | undefined {
  if (isMetadata(marker)) return metadata.filter(marker, segment);
  if (UNUSED.has(marker)) return undefined;
  const isFrame = HUFFMAN_FRAMES.has(marker);
  if (!isFrame && !TABLES.has(marker)) throw new Error('the JPEG has a segment of an unknown type');
  if (segment.readUInt16BE(MARKER_BYTES) < LENGTH_BYTES) {
    throw new Error('the JPEG has a segment with an invalid length');
  }
  if (isFrame && segment[FRAME_PRECISION] !== SUPPORTED_PRECISION) {
    throw new Error('the bits of a sample of the JPEG are not supported');
  }
  if (isFrame && !SUPPORTED_COMPONENTS.has(segment[FRAME_COMPONENTS] ?? 0)) {
    throw new Error('the number of components of the JPEG is not supported');
  }
  return segment;
}

/**
 * Removes the metadata of a JPEG that does not affect its pixels, as `relevantChunks` does for a
 * PNG: comments, and application segments except those of the color. Profiles that take long to
 * apply are removed too. Of Exif metadata, the orientation remains. Segments and bytes between
 * segments that decoders skip are removed, so that no metadata is left in them.
 * @param bytes begin with the marker SOI; what follows the first marker SOS is kept unchanged
 * @throws Error if no marker SOS follows, because such a file has no pixels; for a frame without
 *   Huffman coding, with other than 8 bits, or with other than 1, 3 or 4 components; and for
 *   segments of unknown types
 */
export function relevantSegments(bytes: Buffer): Buffer {
  // One buffer, because a file may have a million segments.
  const written = Buffer.alloc(bytes.length + MARGIN);
  let length = START.copy(written);
  const metadata = new MetadataFilter();
  let at = bytes.indexOf(FILL, START.length);
  while (at >= 0) {
    while (bytes[at] === FILL) at += 1;
    const marker = bytes[at] ?? EOI;
    const from = at - 1;
    at += 1;
    if (marker === SOI || marker === EOI) break;
    if (isUnsupportedFrame(marker)) throw new Error('the coding of the JPEG is not supported');
    if (marker === SOS) {
      for (const part of metadata.profile) length += part.copy(written, length);
      length += bytes.copy(written, length, from);
      return written.subarray(0, length);
    }
    if (!isSkipped(marker)) {
      if (at + LENGTH_BYTES > bytes.length) break;
      const end = at + Math.max(LENGTH_BYTES, bytes.readUInt16BE(at));
      const segment = bytes.subarray(from, end);
      const kept = filterSegment(marker, segment, metadata);
      if (kept) length += kept.copy(written, length);
      at = end;
    }
    at = bytes.indexOf(FILL, at);
  }
  throw new Error('the JPEG has no scan');
}
