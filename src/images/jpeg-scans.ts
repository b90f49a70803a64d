import { EOI, FILL, RST0, RST7, SOS } from './jpeg-markers';

/** Offset of the first segment, after the start marker. */
const FIRST_SEGMENT = 2;

const SOF0 = 0xc0;

/**
 * Whether a marker begins a segment with a length. The decoder skips lower markers when it looks
 * for the next restart; 0 is data.
 */
const hasSegment = (marker: number): boolean => marker >= SOF0 && (marker < RST0 || marker > RST7);

/**
 * Counts the scans of a JPEG like its decoder. A small progressive file may have thousands, and
 * each costs a pass over all pixels.
 * @param bytes begin with the marker SOI
 * @param limit counting stops above it
 */
export function countScans(bytes: Buffer, limit: number): number {
  let scans = 0;
  let at = bytes.indexOf(FILL, FIRST_SEGMENT);
  while (at >= 0 && scans <= limit) {
    while (bytes[at] === FILL) at += 1;
    const marker = bytes[at] ?? EOI;
    if (marker === EOI) break;
    at += 1;
    if (marker === SOS) scans += 1;
    if (hasSegment(marker)) {
      if (at + 2 > bytes.length) break;
      at += bytes.readUInt16BE(at);
    }
    at = bytes.indexOf(FILL, at);
  }
  return scans;
}
