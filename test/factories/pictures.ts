import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Create, type Sharp } from 'sharp';

/** Left half red, right half blue; the upper quarter of both darker: every turn can be told. */
export function scene(width = 400, height = 200, channels: 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(width * height * channels, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = channels * (y * width + x);
      const bright = y < height / 4 ? 120 : 240;
      [data[at], data[at + 1], data[at + 2]] = x < width / 2 ? [bright, 0, 0] : [0, 0, bright];
      if (channels === 4) data[at + 3] = y < height / 2 ? 255 : 0;
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

/** A single-coloured picture. */
export const flat = (width: number, height: number, colour = '#4080c0'): Sharp => {
  const create: Create = { width, height, channels: 3, background: colour };
  return sharp({ create });
};

/** Noise, the same at every call: a picture that hardly shrinks. */
export function noise(width: number, height: number, seed = 1): Sharp {
  const data = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let at = 0; at < data.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = state >>> 24;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A grey PNG with the given bits per pixel, encoded here; `rows` has the pixels of all rows. */
export function handmadePng(width: number, height: number, bits: number, rows?: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  const stride = Math.ceil((width * bits) / 8);
  const pixels = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height && rows; y += 1) {
    rows.copy(pixels, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  }
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG with chunks of one type added before its pixels. */
export function pngWithChunks(png: Buffer, type: string, contents: readonly Buffer[]): Buffer {
  const afterHeader = PNG_SIGNATURE.length + 25;
  const added = contents.map((content) => chunk(type, content));
  return Buffer.concat([png.subarray(0, afterHeader), ...added, png.subarray(afterHeader)]);
}

/** A PNG with compressed texts of `size` characters each. */
export function pngWithTexts(count: number, size: number): Buffer {
  const compressed = deflateSync(Buffer.alloc(size, 'a'));
  const texts = Array.from({ length: count }, (_, at) =>
    Buffer.concat([Buffer.from(`text${at}\0\0`), compressed]),
  );
  return pngWithChunks(handmadePng(1, 1, 8), 'zTXt', texts);
}

/** A PNG made longer, to the byte, by a chunk that readers pass over. */
export function paddedPng(png: Buffer, size: number): Buffer {
  const end = png.length - 12;
  const filler = chunk('prIv', Buffer.alloc(size - png.length - 12));
  return Buffer.concat([png.subarray(0, end), filler, png.subarray(end)]);
}

const jpegSegment = (marker: number, ...content: number[]): number[] => [
  ...[0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255],
  ...content,
];

/** Maximum scans of a JPEG with one component: 14 bits of each coefficient. */
const SCANS_OF_COEFFICIENT = 14;

/** A grey progressive JPEG of 8 x 8 pixels with 1 to 883 scans, written by hand. */
export function jpegWithScans(count: number): Buffer {
  // In every scan one bit says that there is nothing; ones fill the byte.
  const nothing = 0x7f;
  const firstCode = [1, ...Array<number>(15).fill(0), 0];
  const scans = Array.from({ length: count - 1 }, (_, at) => {
    const coefficient = 1 + Math.floor(at / SCANS_OF_COEFFICIENT);
    const low = SCANS_OF_COEFFICIENT - 1 - (at % SCANS_OF_COEFFICIENT);
    const high = low === SCANS_OF_COEFFICIENT - 1 ? 0 : low + 1;
    return [...jpegSegment(0xda, 1, 1, 0, coefficient, coefficient, (high << 4) | low), nothing];
  });
  return Buffer.from([
    ...[0xff, 0xd8],
    ...jpegSegment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...jpegSegment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    ...jpegSegment(0xc4, 0x00, ...firstCode),
    ...jpegSegment(0xc4, 0x10, ...firstCode),
    ...[...jpegSegment(0xda, 1, 1, 0, 0, 0, 0), nothing],
    ...scans.flat(),
    ...[0xff, 0xd9],
  ]);
}

/** Colours of a picture of 5 x 3 that every depth of BMP can show: rows from above. */
export const BMP_ROWS = ['RGBWK', 'KWBGR', 'RRGGB'];
const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  K: [0, 0, 0],
  W: [255, 255, 255],
  R: [255, 0, 0],
  G: [0, 255, 0],
  B: [0, 0, 255],
};
const LETTERS = Object.keys(COLOURS);

/** The colour at a place of {@link BMP_ROWS}; with one bit there are black and white only. */
export const bmpColour = (x: number, y: number, bits = 24): readonly number[] => {
  const letter = BMP_ROWS[y]?.[x] ?? '';
  if (bits === 1) return letter === 'W' ? [255, 255, 255] : [0, 0, 0];
  return COLOURS[letter] ?? [];
};

export interface BmpOptions {
  readonly bits?: number;
  readonly topDown?: boolean;
  /** Bytes of the second header: 12, 40, 56 or 124. */
  readonly header?: number;
  readonly packed?: boolean;
  /** Alpha of 32 bits. */
  readonly alpha?: number;
  readonly masks?: readonly number[];
}

function bmpRow(y: number, bits: number, alpha: number, masked: boolean): Buffer {
  const row = Buffer.alloc(Math.ceil((5 * bits) / 32) * 4);
  for (let x = 0; x < 5; x += 1) {
    const [r = 0, g = 0, b = 0] = bmpColour(x, y, bits);
    const number = bits === 1 ? (r === 255 ? 1 : 0) : LETTERS.indexOf(BMP_ROWS[y]?.[x] ?? '');
    if (bits < 8) {
      const bit = x * bits;
      row[bit >> 3] = (row[bit >> 3] ?? 0) | (number << (8 - bits - (bit % 8)));
    } else if (bits === 8) row[x] = number;
    else if (bits === 16) {
      const five = masked
        ? ((r >> 3) << 11) | ((g >> 2) << 5) | (b >> 3)
        : ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
      row.writeUInt16LE(five, 2 * x);
    } else row.set([b, g, r, alpha].slice(0, bits / 8), (x * bits) / 8);
  }
  return row;
}

/** All commands of packed pixels: a run, literal pixels and a jump. */
function packedPixels(bits: number): Buffer {
  const number = (letter: string): number => LETTERS.indexOf(letter);
  const pair = (one: string, other = one): number =>
    bits === 8 ? number(one) : (number(one) << 4) | number(other);
  const itself = (row: string): number[] =>
    bits === 8
      ? [0, 5, ...[...row].map(number), 0]
      : [0, 5, pair(row[0] ?? '', row[1]), pair(row[2] ?? '', row[3]), pair(row[4] ?? '', 'K'), 0];
  // From below: the lowest row in runs, the middle one as it is, the upper one too.
  return Buffer.from([
    ...[2, pair('R'), 2, pair('G'), 1, pair('B'), 0, 0],
    ...[...itself('KWBGR'), 0, 0],
    ...[...itself('RGBWK'), 0, 1],
  ]);
}

/** A BMP of {@link BMP_ROWS}, written by hand. */
export function bmp(options: BmpOptions = {}): Buffer {
  const { bits = 24, topDown = false, header = 40, packed = false, alpha = 255, masks } = options;
  const order = topDown ? [0, 1, 2] : [2, 1, 0];
  const pixels = packed
    ? packedPixels(bits)
    : Buffer.concat(order.map((y) => bmpRow(y, bits, alpha, masks !== undefined)));
  const colours = bits === 1 ? ['K', 'W'] : bits <= 8 ? LETTERS : [];
  const entry = header === 12 ? 3 : 4;
  // The old header cannot say how many colours there are: all of them.
  const palette = Buffer.alloc((header === 12 && bits <= 8 ? 2 ** bits : colours.length) * entry);
  colours.forEach((letter, at) => {
    palette.set([...(COLOURS[letter] ?? [])].reverse(), at * entry);
  });
  const apart = masks && header === 40 ? 12 : 0;
  const info = Buffer.alloc(14 + header + apart);
  info.write('BM');
  info.writeUInt32LE(info.length + palette.length + pixels.length, 2);
  info.writeUInt32LE(info.length + palette.length, 10);
  info.writeUInt32LE(header, 14);
  if (header === 12) {
    [5, 3, 1, bits].forEach((value, at) => info.writeUInt16LE(value, 18 + 2 * at));
  } else {
    info.writeInt32LE(5, 18);
    info.writeInt32LE(topDown ? -3 : 3, 22);
    info.writeUInt16LE(1, 26);
    info.writeUInt16LE(bits, 28);
    info.writeUInt32LE(packed ? (bits === 8 ? 1 : 2) : masks ? 3 : 0, 30);
    info.writeUInt32LE(colours.length, 46);
    masks?.forEach((mask, at) => info.writeUInt32LE(mask, 54 + 4 * at));
  }
  return Buffer.concat([info, palette, pixels]);
}
