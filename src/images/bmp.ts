import { setImmediate as turn } from 'node:timers/promises';

/** The header of a BMP, as the decoder needs it. */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  /** Whether the first row is the top row; in most files it is the bottom row. */
  readonly topDown: boolean;
  readonly bits: number;
  readonly compression: number;
  /** Offset of the pixels. */
  readonly offset: number;
  /** Red, green and blue of each indexed color. */
  readonly palette: Buffer;
  /** Masks of red, green, blue and alpha, for 16 and 32 bits; 0 when there is none. */
  readonly masks: readonly number[];
}

/** Pixels of three bytes (red, green, blue), or four with alpha. */
export interface BmpPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Buffer;
}

const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

/** Valid compressions by bits per pixel. */
const COMPRESSIONS: Readonly<Record<number, readonly number[]>> = {
  1: [RGB],
  4: [RGB, RLE4],
  8: [RGB, RLE8],
  16: [RGB, BITFIELDS, ALPHA_BITFIELDS],
  24: [RGB],
  32: [RGB, BITFIELDS, ALPHA_BITFIELDS],
};

/** Pixels to decode before yielding, so that decoding does not delay requests. */
const PIXELS_PER_TURN = 1_000_000;

const broken = (what: string): Error => new Error(`BMP: ${what}`);

/** Default masks: 5 bits per color in 16 bits, 8 bits in 32. */
const DEFAULT_MASKS: Readonly<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x03e0, 0x001f, 0],
  32: [0xff0000, 0xff00, 0xff, 0],
};

function masksOf(bytes: Buffer, size: number, bits: number, compression: number): number[] {
  if (compression !== BITFIELDS && compression !== ALPHA_BITFIELDS) {
    return [...(DEFAULT_MASKS[bits] ?? [])];
  }
  // The masks are in the header, or follow the smallest header.
  const hasAlpha = size >= 56 || compression === ALPHA_BITFIELDS;
  return [0, 1, 2, 3].map((at) => (at === 3 && !hasAlpha ? 0 : bytes.readUInt32LE(54 + 4 * at)));
}

function paletteOf(bytes: Buffer, from: number, entry: 3 | 4, count: number): Buffer {
  const palette = Buffer.alloc(3 * count);
  for (let at = 0; at < count; at += 1) {
    const place = from + at * entry;
    if (place + 3 > bytes.length) throw broken('the palette is cut off');
    palette[3 * at] = bytes[place + 2] ?? 0;
    palette[3 * at + 1] = bytes[place + 1] ?? 0;
    palette[3 * at + 2] = bytes[place] ?? 0;
  }
  return palette;
}

/**
 * Reads the header of a BMP. Allocates no memory of the claimed size.
 * @throws Error when it is incomplete or invalid
 */
export function readBmpHeader(bytes: Buffer): BmpHeader {
  const size = bytes.readUInt32LE(14);
  const isCoreHeader = size === 12;
  const rawHeight = isCoreHeader ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const bits = bytes.readUInt16LE(isCoreHeader ? 24 : 28);
  const compression = isCoreHeader ? RGB : bytes.readUInt32LE(30);
  if (!COMPRESSIONS[bits]?.includes(compression)) throw broken('an unknown kind of pixels');
  const masks = masksOf(bytes, size, bits, compression);
  const used = isCoreHeader ? 0 : bytes.readUInt32LE(46);
  const colours = bits > 8 ? 0 : Math.min(used === 0 ? 2 ** bits : used, 2 ** bits);
  const separateMasks = size === 40 && masks.length > 0 && compression !== RGB;
  const after = 14 + size + (separateMasks ? (compression === ALPHA_BITFIELDS ? 16 : 12) : 0);
  return {
    width: isCoreHeader ? bytes.readUInt16LE(18) : bytes.readInt32LE(18),
    height: Math.abs(rawHeight),
    topDown: rawHeight < 0,
    bits,
    compression,
    offset: bytes.readUInt32LE(10),
    palette: paletteOf(bytes, after, isCoreHeader ? 3 : 4, colours),
    masks,
  };
}

/** Extracts one channel of a pixel as a number from 0 to 255. */
function channel(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const top = mask >>> shift;
  return top === 255
    ? (pixel) => (pixel >>> shift) & 255
    : (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / top);
}

type RowReader = (from: number, to: number) => void;

function masked(bytes: Buffer, { width, bits, masks }: BmpHeader, data: Buffer): RowReader {
  const [red, green, blue, alpha] = masks.map(channel) as ((pixel: number) => number)[];
  const step = bits / 8;
  const channels = masks[3] === 0 ? 3 : 4;
  return (from, to) => {
    for (let x = 0, place = from, out = to; x < width; x += 1, place += step, out += channels) {
      const pixel = step === 2 ? bytes.readUInt16LE(place) : bytes.readUInt32LE(place);
      data[out] = red?.(pixel) ?? 0;
      data[out + 1] = green?.(pixel) ?? 0;
      data[out + 2] = blue?.(pixel) ?? 0;
      if (channels === 4) data[out + 3] = alpha?.(pixel) ?? 255;
    }
  };
}

function plain(bytes: Buffer, { width }: BmpHeader, data: Buffer): RowReader {
  return (from, to) => {
    for (let place = 0; place < 3 * width; place += 3) {
      data[to + place] = bytes[from + place + 2] ?? 0;
      data[to + place + 1] = bytes[from + place + 1] ?? 0;
      data[to + place + 2] = bytes[from + place] ?? 0;
    }
  };
}

/** Writes a color of the palette; a missing one is black. */
const paint = (data: Buffer, palette: Buffer, out: number, colour: number): void => {
  data[out] = palette[3 * colour] ?? 0;
  data[out + 1] = palette[3 * colour + 1] ?? 0;
  data[out + 2] = palette[3 * colour + 2] ?? 0;
};

function indexed(bytes: Buffer, header: BmpHeader, data: Buffer): RowReader {
  const { width, bits, palette } = header;
  const perByte = 8 / bits;
  const mask = 2 ** bits - 1;
  return (from, to) => {
    for (let x = 0; x < width; x += 1) {
      const byte = bytes[from + Math.floor(x / perByte)] ?? 0;
      const shift = 8 - bits * ((x % perByte) + 1);
      paint(data, palette, to + 3 * x, (byte >> shift) & mask);
    }
  };
}

/** Run-length decoding: a count and a color, or 0 and a command. */
async function unpack(bytes: Buffer, header: BmpHeader, data: Buffer): Promise<void> {
  const { width, height, bits, palette, topDown } = header;
  let [x, y, place, done] = [0, 0, header.offset, 0];
  const put = (colour: number): void => {
    if (x >= width || y >= height) throw broken('a run leaves the picture');
    const row = topDown ? y : height - 1 - y;
    paint(data, palette, 3 * (row * width + x), colour);
    x += 1;
  };
  const next = (): number => {
    const byte = bytes[place];
    if (byte === undefined) throw broken('the pixels are cut off');
    place += 1;
    return byte;
  };
  const colourAt = (byte: number, at: number): number =>
    bits === 8 ? byte : at % 2 === 0 ? byte >> 4 : byte & 15;
  for (;;) {
    const count = next();
    const value = next();
    if (count > 0) {
      for (let at = 0; at < count; at += 1) put(colourAt(value, at));
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      return;
    } else if (value === 2) {
      x += next();
      y += next();
    } else {
      const length = bits === 8 ? value : Math.ceil(value / 2);
      if (place + length > bytes.length) throw broken('the pixels are cut off');
      for (let at = 0; at < value; at += 1) {
        put(colourAt(bytes[place + (bits === 8 ? at : at >> 1)] ?? 0, at));
      }
      // Literal runs are padded to 16 bits.
      place += length + (length % 2);
    }
    done += count + 1;
    if (done >= PIXELS_PER_TURN) {
      done = 0;
      await turn();
    }
  }
}

/** Many encoders set the alpha of all pixels to 0 in opaque pictures. */
function fillUnusedAlpha(data: Buffer): void {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return;
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
}

/** The values of a decoded pixel. */
export const bmpChannels = ({ masks }: BmpHeader): 3 | 4 => (masks[3] ? 4 : 3);

/** The size in bytes of the decoded pixels. */
export const bmpBytes = (header: BmpHeader): number =>
  header.width * header.height * bmpChannels(header);

/**
 * Decodes a BMP of 1, 4, 8, 16, 24 or 32 bits, compressed or not. The caller has checked the size.
 * The function checks that the file has enough pixels before it allocates memory.
 * @throws Error when the file does not match its header
 */
export async function decodeBmp(bytes: Buffer, header: BmpHeader): Promise<BmpPixels> {
  const { width, height, bits, offset } = header;
  const channels = bmpChannels(header);
  const stride = Math.ceil((width * bits) / 32) * 4;
  const packed = header.compression === RLE8 || header.compression === RLE4;
  if (offset < 14 + 12 || offset >= bytes.length) throw broken('there are no pixels');
  // Some encoders omit the padding of the last row.
  const needed = stride * (height - 1) + Math.ceil((width * bits) / 8);
  if (!packed && offset + needed > bytes.length) throw broken('the pixels are cut off');
  const data = Buffer.alloc(bmpBytes(header));
  if (packed) {
    await unpack(bytes, header, data);
    return { width, height, channels, data };
  }
  const kind = bits <= 8 ? indexed : bits === 24 ? plain : masked;
  const readRow = kind(bytes, header, data);
  const rowsPerTurn = Math.ceil(PIXELS_PER_TURN / width);
  for (let y = 0; y < height; y += 1) {
    const row = header.topDown ? y : height - 1 - y;
    readRow(offset + stride * y, row * width * channels);
    if (y % rowsPerTurn === rowsPerTurn - 1) await turn();
  }
  if (channels === 4) fillUnusedAlpha(data);
  return { width, height, channels, data };
}
