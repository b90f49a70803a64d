import { crc32, inflateSync } from 'node:zlib';
import { isAllowedProfile, MAX_PROFILE_BYTES } from './color-profile';
import { orientationOnly } from './exif-orientation';

/** Length of the signature in bytes. */
const SIGNATURE = 8;

/** Length of a chunk without its data in bytes: length, type and checksum. */
const FRAME = 12;

/** Ancillary chunks that affect the pixels. */
const RELEVANT = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT']);

/** The chunk of Exif metadata, of which the orientation is kept. */
const EXIF = 'eXIf';

/** The chunk of an ICC profile, with a name and compressed. */
const PROFILE = 'iCCP';

/** Bytes between the name and the compressed profile: the end of the name, and the method. */
const AFTER_NAME = 2;

/** Whether the decoder may apply the profile in the data of a chunk. */
function hasAllowedProfile(data: Buffer): boolean {
  const compressed = data.subarray(data.indexOf(0) + AFTER_NAME);
  try {
    return isAllowedProfile(inflateSync(compressed, { maxOutputLength: MAX_PROFILE_BYTES }));
  } catch {
    // Damaged, or too large.
    return false;
  }
}

/** Decoders need all critical chunks, whose type begins with a capital letter. */
const isRelevant = (type: string, data: Buffer): boolean =>
  /^[A-Z]/.test(type) || RELEVANT.has(type) || (type === PROFILE && hasAllowedProfile(data));

/** The only type of which decoders accept several chunks. */
const DATA = 'IDAT';

/** The chunk of Exif metadata with the orientation alone. */
function exifChunk(exif: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(EXIF, 'latin1'), orientationOnly(exif)]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - EXIF.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/**
 * Removes the chunks of a PNG that do not affect its pixels: those that are not relevant, empty
 * data, profiles that take long to apply, and repetitions, which are invalid. Of the Exif metadata,
 * only the orientation is kept. The decoder would decompress texts: a file of 3 MB can contain
 * several gigabytes of text. It would also report each repetition as a warning, and 200,000 of these
 * take the event loop half a second.
 * @param bytes begin with the signature; an incomplete final chunk is dropped or kept unchanged
 */
export function relevantChunks(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  const seen = new Set<string>();
  // Adjacent chunks are kept as one part, because a file may have many.
  let from = 0;
  let to = SIGNATURE;
  for (let at = SIGNATURE; at + FRAME <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const length = bytes.readUInt32BE(at);
    const end = at + FRAME + length;
    const isNew = !seen.has(type);
    const data = bytes.subarray(at + 8, end - 4);
    if (type === EXIF && isNew && end <= bytes.length) {
      kept.push(bytes.subarray(from, to), exifChunk(data));
      from = to = end;
      seen.add(type);
    } else if (type === DATA ? length > 0 : isNew && isRelevant(type, data)) {
      if (at !== to) {
        kept.push(bytes.subarray(from, to));
        from = at;
      }
      to = end;
      seen.add(type);
    }
    // Only the first profile is decompressed.
    if (type === PROFILE) seen.add(type);
    if (type === 'IEND') break;
    at = end;
  }
  kept.push(bytes.subarray(from, to));
  return Buffer.concat(kept);
}
