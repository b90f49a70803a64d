/** Bytes of the signature. */
const SIGNATURE = 8;

/** Bytes of a chunk beside its data: length, type and checksum. */
const FRAME = 12;

/** Ancillary chunks that say how the pixels look, and which side of the picture is up. */
const RELEVANT = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'eXIf']);

/** Decoders need every critical chunk: the first letter of its type is a capital. */
const isRelevant = (type: string): boolean => /^[A-Z]/.test(type) || RELEVANT.has(type);

/**
 * A PNG without the chunks that do not change its pixels. The decoder reads all chunks, and
 * decompresses texts: a file of 3 MB can hold texts of several gigabytes.
 *
 * @param bytes begin with the signature; an incomplete chunk at the end is dropped or kept whole
 */
export function relevantChunks(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, SIGNATURE)];
  for (let at = SIGNATURE; at + FRAME <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (isRelevant(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(kept);
}
