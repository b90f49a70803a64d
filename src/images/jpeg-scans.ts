/** Where the first segment begins, behind the marker that begins the file. */
const FIRST_SEGMENT = 2;

const FILL = 0xff;
const [SOF0, RST0, RST7, EOI, SOS] = [0xc0, 0xd0, 0xd7, 0xd9, 0xda];

/**
 * Whether a marker begins a segment, whose length follows. The decoder passes over lower ones when
 * it looks for the next restart; the lowest, 0, is no marker but data.
 */
const hasSegment = (marker: number): boolean => marker >= SOF0 && (marker < RST0 || marker > RST7);

/**
 * Counts the scans of a JPEG, as its decoder finds them: a progressive one may have thousands in
 * few bytes, and each takes the time to go through all pixels.
 *
 * @param bytes begin with the marker SOI
 * @param limit counting ends beyond it
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
