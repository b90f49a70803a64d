/** Length of the signature in bytes. */
const SIGNATURE = 8;

/** Length of a chunk without its data in bytes: length, type and checksum. */
const FRAME = 12;

/** Ancillary chunks that affect the pixels or the orientation. */
const RELEVANT = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT', 'eXIf']);

/** Decoders need all critical chunks, whose type begins with a capital letter. */
const isRelevant = (type: string): boolean => /^[A-Z]/.test(type) || RELEVANT.has(type);

/**
 * Removes the chunks of a PNG that do not affect its pixels. The decoder would decompress texts: a
 * file of 3 MB can contain several gigabytes of text.
 * @param bytes begin with the signature; an incomplete final chunk is dropped or kept unchanged
 */
export function relevantChunks(bytes: Buffer): Buffer {
  const relevant = [bytes.subarray(0, SIGNATURE)];
  for (let at = SIGNATURE; at + FRAME <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (isRelevant(type)) relevant.push(bytes.subarray(at, end));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(relevant);
}
