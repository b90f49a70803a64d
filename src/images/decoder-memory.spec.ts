import { type Sharp } from 'sharp';
import { flat, handmadePng } from '../../test/factories/pictures';
import { readHeader } from './picture-encoding';

const [WIDTH, HEIGHT] = [64, 48];
const PIXELS = WIDTH * HEIGHT;

const picture = (): Sharp => flat(WIDTH, HEIGHT);
const bytesPerPixel = async (made: Sharp): Promise<number> =>
  ((await readHeader(await made.toBuffer())).decoderBytes ?? 0) / PIXELS;

/** Splits the only scan of a JPEG: its segment names one component, as if more scans followed. */
function withSeveralScans(jpeg: Buffer): Buffer {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const head = Buffer.from([0xff, 0xda, 0, 8, 1, jpeg[scan + 5] ?? 0, 0, 0, 63, 0]);
  const after = scan + 2 + jpeg.readUInt16BE(scan + 2);
  return Buffer.concat([jpeg.subarray(0, scan), head, jpeg.subarray(after)]);
}

it.each([
  ['a baseline JPEG', 0, picture().jpeg()],
  ['a progressive JPEG with subsampled colors', 3, picture().jpeg({ progressive: true })],
  [
    'a progressive JPEG without subsampling',
    6,
    picture().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  ],
  [
    'a progressive JPEG with four components',
    8,
    picture().toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  ],
  ['a PNG', 0, picture().png()],
  ['an interlaced PNG', 3, picture().png({ progressive: true })],
  [
    'an interlaced PNG with alpha and 16 bits',
    8,
    picture().ensureAlpha().toColourspace('rgb16').png({ progressive: true }),
  ],
  ['a GIF', 5, picture().gif()],
])(
  'knows from the header what the decoder of %s needs: %i bytes a pixel',
  async (_, bytes, made) => {
    expect(await bytesPerPixel(made)).toBe(bytes);
  },
);

it('counts the coefficients of a baseline JPEG with several scans', async () => {
  const jpeg = withSeveralScans(await picture().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer());
  expect(await readHeader(jpeg)).toMatchObject({ costFactor: 2, decoderBytes: 6 * PIXELS });
});

describe('a picture near the maximum number of pixels', () => {
  const SIDE = 7000;
  const large = (): Sharp => flat(SIDE, SIDE);

  it('1009: is rejected if its decoder needs more than 160 MB', async () => {
    const jpeg = await large().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
    await expect(readHeader(jpeg)).rejects.toMatchObject({
      row: { code: 1009 },
      detail: expect.stringContaining('294 MB') as string,
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
