// The format of JPEG as far as several files need it: ITU-T T.81, annex B.

/** Begins each marker. */
export const FILL = 0xff;

/** Second bytes of markers. */
export const [SOI, EOI, SOS, RST0, RST7] = [0xd8, 0xd9, 0xda, 0xd0, 0xd7] as const;

/** Frames with Huffman coding: baseline, extended and progressive. */
export const HUFFMAN_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Bytes of a marker, and of the length of its segment, which counts its own. */
export const MARKER_BYTES = 2;
export const LENGTH_BYTES = 2;

/** Offset of the number of components in the segment of a frame, from its marker. */
export const FRAME_COMPONENTS = 9;
