import sharp from 'sharp';
import { Settings } from '../../../src/config/settings';
import { DiskStorage } from '../../../src/images/disk-storage';
import { PicturesService } from '../../../src/images/pictures.service';
import { BMP_ROWS, bmp, bmpColour, type BmpOptions } from '../../factories/pictures';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { encodeOne } from '../../factories/prepared-pictures';

let opened: TestDatabase;
let pictures: PicturesService;
beforeAll(async () => {
  opened = await openTestDatabase();
  pictures = new PicturesService(new DiskStorage('/nowhere'), opened.database, new Settings());
});
afterAll(() => opened.close());

const codeOf = (bytes: Buffer): Promise<number | undefined> =>
  encodeOne(pictures, bytes).then(
    () => undefined,
    (error: { row: { code: number } }) => error.row.code,
  );

describe('BMP files', () => {
  const KINDS: Readonly<Record<string, BmpOptions>> = {
    '1 bit': { bits: 1 },
    '4 bits': { bits: 4 },
    '8 bits': { bits: 8 },
    '16 bits': { bits: 16 },
    '16 bits with masks': { bits: 16, masks: [0xf800, 0x07e0, 0x001f] },
    '24 bits': { bits: 24 },
    '24 bits from above': { bits: 24, topDown: true },
    '24 bits with the oldest header': { bits: 24, header: 12 },
    '8 bits with the oldest header': { bits: 8, header: 12 },
    '32 bits': { bits: 32, alpha: 0 },
    '32 bits with masks': { bits: 32, masks: [0xff0000, 0xff00, 0xff] },
    '32 bits with a long header': {
      bits: 32,
      header: 124,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
    },
    '32 bits whose alpha nobody filled in': {
      bits: 32,
      header: 56,
      alpha: 0,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
    },
    'packed 4 bits': { bits: 4, packed: true },
    'packed 8 bits': { bits: 8, packed: true },
  };
  it.each(Object.entries(KINDS))('are decoded: %s', async (_name, options) => {
    const picture = await encodeOne(pictures, bmp(options));
    expect(picture).toMatchObject({ width: 5, height: 3, extension: 'png' });
    const { data } = await sharp(picture.large)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const expected = BMP_ROWS.flatMap((row, y) =>
      [...row].flatMap((_letter, x) => bmpColour(x, y, options.bits)),
    );
    expect([...data]).toEqual(expected);
    expect((await sharp(picture.large).stats()).isOpaque).toBe(true);
  });

  it('keep transparency', async () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const picture = await encodeOne(pictures, bmp({ bits: 32, header: 124, alpha: 100, masks }));
    expect((await sharp(picture.large).stats()).channels[3]).toMatchObject({ min: 100, max: 100 });
  });

  const changed = (change: (bytes: Buffer) => unknown, options: BmpOptions = {}): Buffer => {
    const bytes = Buffer.from(bmp(options));
    change(bytes);
    return bytes;
  };
  const LIES: Readonly<Record<string, Buffer>> = {
    'a size that its pixels are too few for': changed((b) => b.writeInt32LE(5000, 18)),
    'a size beyond all reason': changed((b) => b.writeInt32LE(0x7fffffff, 18)),
    'a height beyond all reason': changed((b) => b.writeInt32LE(-0x80000000, 22)),
    'no width': changed((b) => b.writeInt32LE(0, 18)),
    'a width below nothing': changed((b) => b.writeInt32LE(-5, 18)),
    'pixels of 7 bits': changed((b) => b.writeUInt16LE(7, 28)),
    'a JPEG inside': changed((b) => b.writeUInt32LE(4, 30)),
    'pixels behind its end': changed((b) => b.writeUInt32LE(1 << 30, 10)),
    'pixels in its header': changed((b) => b.writeUInt32LE(0, 10)),
    'a palette behind its end': changed((b) => b.writeUInt32LE(256, 46), { bits: 8 }),
    'runs that leave the picture': changed((b) => (b[b.length - 20] = 200), {
      bits: 8,
      packed: true,
    }),
    'runs that end early': bmp({ bits: 8, packed: true }).subarray(0, -2),
  };
  it.each(Object.entries(LIES))('that claim %s are 1009', async (_name, bytes) => {
    expect(await codeOf(bytes)).toBe(1009);
  });
});
