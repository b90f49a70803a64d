import { type Sharp } from 'sharp';
import { flat, handmadePng } from '../../test/factories/pictures';
import { decoderBytes, LARGE_DECODER_BYTES, wholePictureBytes } from './decoder-memory';
import { relevantSegments } from './jpeg-segments';
import { readHeader } from './picture-encoding';

const [WIDTH, HEIGHT] = [64, 48];
const PIXELS = WIDTH * HEIGHT;

const picture = (): Sharp => flat(WIDTH, HEIGHT);
/** Measured: a constant, five copies of the file, and that many bytes a row. */
const memoryOf = (file: Buffer, rowBytes: number): number =>
  6_000_000 + 5 * file.length + WIDTH * rowBytes;

/** Splits the only scan of a JPEG: its segment names one component, as if more scans followed. */
function withSeveralScans(jpeg: Buffer): Buffer {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const head = Buffer.from([0xff, 0xda, 0, 8, 1, jpeg[scan + 5] ?? 0, 0, 0, 63, 0]);
  const after = scan + 2 + jpeg.readUInt16BE(scan + 2);
  return Buffer.concat([jpeg.subarray(0, scan), head, jpeg.subarray(after)]);
}

it.each([
  ['a baseline JPEG', 0, 3 * 2150, picture().jpeg()],
  ['a progressive JPEG with subsampled colors', 3, 3 * 1800, picture().jpeg({ progressive: true })],
  [
    'a progressive JPEG without subsampling',
    6,
    3 * 1800,
    picture().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  ],
  [
    'a progressive JPEG with four components',
    8,
    4 * 1800,
    picture().toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  ],
  ['a PNG', 0, 3 * 2150, picture().png()],
  ['a PNG with alpha', 0, 4 * 2500, picture().ensureAlpha().png()],
  ['a PNG with 16 bits', 0, 6 * 2150, picture().toColourspace('rgb16').png()],
  ['an interlaced PNG', 3, 3 * 1800, picture().png({ progressive: true })],
  [
    'an interlaced PNG with alpha and 16 bits',
    8,
    8 * 1800,
    picture().ensureAlpha().toColourspace('rgb16').png({ progressive: true }),
  ],
  ['a GIF', 9, 4 * 1800, picture().gif()],
])(
  'knows from the header what %s needs: %i bytes a pixel, and %i a column',
  async (_, bytes, rowBytes, made) => {
    const file = await made.toBuffer();
    const { decoderBytes: needed } = await readHeader(file);
    expect(needed).toBe(bytes * PIXELS + memoryOf(file, rowBytes));
  },
);

it('counts the coefficients of a baseline JPEG with several scans', async () => {
  const jpeg = withSeveralScans(await picture().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer());
  expect(await readHeader(jpeg)).toMatchObject({
    costFactor: 2,
    decoderBytes: 6 * PIXELS + memoryOf(jpeg, 3 * 1800),
  });
});

describe('a picture near the maximum number of pixels', () => {
  const SIDE = 7000;
  const large = (): Sharp => flat(SIDE, SIDE);

  it('1009: is rejected if its decoder needs more than 190 MB', async () => {
    const jpeg = await large().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
    await expect(readHeader(jpeg)).rejects.toMatchObject({
      row: { code: 1009 },
      detail: expect.stringContaining('MB are supported') as string,
    });
  });

  it.each([
    ['a baseline JPEG', () => large().jpeg().toBuffer()],
    [
      'a progressive JPEG with subsampled colors',
      () => large().jpeg({ progressive: true }).toBuffer(),
    ],
    ['a PNG', () => Promise.resolve(handmadePng(SIDE, SIDE, 8))],
  ])('is accepted as %s', async (_, made) => {
    expect(await readHeader(await made())).toMatchObject({ width: SIDE, height: SIDE });
  });
});

/** A JPEG with bytes inserted before its first segment. */
const jpegWith = (jpeg: Buffer, inserted: readonly number[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), Buffer.from(inserted), jpeg.subarray(2)]);

const DNL = [0xff, 0xdc];

describe.each([
  ['DNL with the length 0', [...DNL, 0, 0]],
  ['DNL with the length 1', [...DNL, 0, 1]],
  ['DNL that hides a baseline frame', [...DNL, 0, 0, 0xff, 0xdc, 0, 4, 0xff, 0xc0]],
  ['DNL', [...DNL, 0, 4, 0, 48]],
  ['arithmetic conditioning', [0xff, 0xcc, 0, 4, 0, 0x10]],
  ['a comment with the length 0', [0xff, 0xfe, 0, 0]],
  ['application data with the length 1', [0xff, 0xe0, 0, 1]],
  ['fill bytes', [0xff, 0xff, 0xff]],
  ['markers without segments', [0xff, 0, 0xff, 0xd0, 0xff, 0x01]],
])('a progressive JPEG with %s', (_, inserted) => {
  it('reaches the decoder without it, and needs as much memory', async () => {
    const jpeg = await picture()
      .toColourspace('cmyk')
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const changed = jpegWith(jpeg, inserted);
    expect(relevantSegments(changed)).toEqual(relevantSegments(jpeg));
    await expect(readHeader(changed)).resolves.toMatchObject({
      decoderBytes: 8 * PIXELS + memoryOf(changed, 4 * 1800),
    });
  });
});

/** Changes a JPEG at an offset from its frame. */
function withFrame(jpeg: Buffer, change: (frame: Buffer) => void): Buffer {
  const changed = Buffer.from(jpeg);
  change(changed.subarray(changed.indexOf(Buffer.from([0xff, 0xc2]))));
  return changed;
}

/** The frame of a JPEG, or with another marker. */
function frameOf(jpeg: Buffer, marker = 0xc2): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  const frame = Buffer.from(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
  frame[1] = marker;
  return frame;
}

const before = (jpeg: Buffer, marker: number, inserted: Buffer): Buffer => {
  const at = jpeg.indexOf(Buffer.from([0xff, marker]));
  return Buffer.concat([jpeg.subarray(0, at), inserted, jpeg.subarray(at)]);
};

it.each<[string, (jpeg: Buffer) => Buffer]>([
  ['two frames', (jpeg) => before(jpeg, 0xda, frameOf(jpeg))],
  ['a smaller frame before its frame', (jpeg) => before(jpeg, 0xc2, frameOf(jpeg, 0xc0))],
  ['a scan before its frame', (jpeg) => jpegWith(jpeg, [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0])],
  ['a height that follows the scan', (jpeg) => withFrame(jpeg, (frame) => frame.fill(0, 5, 7))],
  ['12 bits', (jpeg) => withFrame(jpeg, (frame) => frame.fill(12, 4, 5))],
  ['a sampling factor of 0', (jpeg) => withFrame(jpeg, (frame) => frame.fill(0x20, 11, 12))],
  ['a sampling factor of 5', (jpeg) => withFrame(jpeg, (frame) => frame.fill(0x51, 11, 12))],
  ['a frame with the length 0', (jpeg) => withFrame(jpeg, (frame) => frame.fill(0, 2, 4))],
  ['a frame that ends outside', (jpeg) => withFrame(jpeg, (frame) => frame.fill(0xff, 2, 4))],
  ['quantization tables with the length 1', (jpeg) => jpegWith(jpeg, [0xff, 0xdb, 0, 1])],
  ['Huffman tables with the length 0', (jpeg) => jpegWith(jpeg, [0xff, 0xc4, 0, 0])],
  ['a segment of an unknown type', (jpeg) => jpegWith(jpeg, [0xff, 0xf0, 0, 2])],
  ['a reserved marker', (jpeg) => jpegWith(jpeg, [0xff, 0x02, 0, 2])],
])('1009: a JPEG with %s is rejected before decoding', async (_, change) => {
  const jpeg = await picture().jpeg({ progressive: true }).toBuffer();
  const rejected = readHeader(change(jpeg));
  await expect(rejected).rejects.toMatchObject({ row: { code: 1009 } });
});

/** A JPEG whose frame and scan have a number of components, without tables. */
function jpegOf(components: number): Buffer {
  const each = (bytes: readonly number[]): number[] =>
    Array.from({ length: components }, (_, at) => [at + 1, ...bytes]).flat();
  const frame = [0xff, 0xc0, 0, 8 + 3 * components, 8, 0, HEIGHT, 0, WIDTH, components];
  const scan = [0xff, 0xda, 0, 6 + 2 * components, components, ...each([0]), 0, 63, 0];
  return Buffer.from([0xff, 0xd8, ...frame, ...each([0x11, 0]), ...scan, 0xff, 0xd9]);
}

it.each([1, 3, 4])('accepts the header of a JPEG with %i components', async (components) => {
  await expect(readHeader(jpegOf(components))).resolves.toHaveProperty('decoderBytes');
});

it.each([0, 2, 5])('1009: a JPEG with %i components is rejected', (components) => {
  expect(() => relevantSegments(jpegOf(components))).toThrow('number of components');
});

describe('the memory of a JPEG whose segments the limit reads differently than the decoder', () => {
  const read = {
    format: 'jpeg',
    width: WIDTH,
    height: HEIGHT,
    channels: 3,
    isWide: false,
    isProgressive: true,
  } as const;

  it.each([
    ['without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0])],
    ['without segments', Buffer.from([0xff, 0xd8])],
    ['with bytes before the frame', jpegWith(jpegOf(3), [0, 0, 0xff, 0xdc, 0, 2])],
    ['with a frame of other components', jpegOf(4)],
  ])('is not 0 but unknown: %s', (_, jpeg) => {
    expect(() => wholePictureBytes(jpeg, read)).toThrow('frame');
    expect(() => decoderBytes(jpeg, read)).toThrow('frame');
  });

  it('is found behind a segment with the length 0', () => {
    expect(wholePictureBytes(jpegWith(jpegOf(3), [...DNL, 0, 0]), read)).toBe(6 * PIXELS);
  });
});

it('1009: no segment hides what the decoder of a large JPEG needs', async () => {
  const jpeg = await flat(7000, 7000)
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  await expect(readHeader(jpegWith(jpeg, [...DNL, 0, 0]))).rejects.toMatchObject({
    row: { code: 1009 },
    detail: expect.stringContaining('MB are supported') as string,
  });
});

/** A PNG of one row, which claims a size: the header is enough. */
const claim = (width: number, height: number, channels: number, isWide: boolean) => ({
  format: 'png' as const,
  width,
  height,
  channels,
  isWide,
  isProgressive: false,
});

it.each([
  ['16 bits and alpha', claim(16_384, 762, 4, true), 249_000_000],
  ['16 bits', claim(16_384, 3051, 3, true), 168_000_000],
  ['alpha', claim(16_384, 3051, 4, false), 133_000_000],
  ['8 bits', claim(16_384, 3051, 3, false), 87_000_000],
  ['16 bits and alpha, but fewer columns', claim(5_000, 10_000, 4, true), 99_000_000],
])('a wide PNG with %s is large: its rows need memory', (_, wide, measured) => {
  const needed = decoderBytes(Buffer.alloc(0), wide);
  expect(needed).toBeGreaterThan(LARGE_DECODER_BYTES);
  expect(needed).toBeGreaterThan(measured);
});

it.each([
  ['a photo of a phone', { ...claim(8_160, 6_120, 3, false), format: 'jpeg' as const }],
  ['a screenshot', claim(2_560, 1_440, 4, false)],
  ['a picture of 12 million pixels', claim(4_000, 3_000, 3, false)],
])('%s is not large', async (_, common) => {
  const bytes = common.format === 'jpeg' ? await picture().jpeg().toBuffer() : Buffer.alloc(0);
  expect(decoderBytes(bytes, common)).toBeLessThan(LARGE_DECODER_BYTES);
});

it('1009: rejects a GIF whose decoder may keep three canvases of more than 190 MB', async () => {
  await expect(readHeader(await flat(5600, 5600).gif().toBuffer())).rejects.toMatchObject({
    row: { code: 1009 },
  });
  await expect(readHeader(await flat(4000, 4000).gif().toBuffer())).resolves.toHaveProperty(
    'width',
  );
});
