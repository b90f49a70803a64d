import sharp from 'sharp';
import { Settings } from '../../../src/config/settings';
import { DiskStorage } from '../../../src/images/disk-storage';
import { PicturesService } from '../../../src/images/pictures.service';
import {
  bmp,
  flat,
  handmadePng,
  jpegWithScans,
  noise,
  paddedPng,
  pngWithChunks,
  pngWithTexts,
  scene,
} from '../../factories/pictures';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { encodeOne, type EncodedPicture } from '../../factories/prepared-pictures';

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

/** Colour at a place of a prepared picture, each part in steps of 32: JPEG is not exact. */
async function colourAt(picture: EncodedPicture, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture.large).raw().toBuffer({ resolveWithObject: true });
  const at = info.channels * (y * info.width + x);
  return [...data.subarray(at, at + 3)].map((part) => Math.round(part / 32) * 32);
}
const [RED, DARK_RED, BLUE] = [
  [256, 0, 0],
  [128, 0, 0],
  [0, 0, 256],
].map((colour) => colour.map((part) => Math.round(Math.min(part, 240) / 32) * 32));

describe('pictures of the five formats', () => {
  const FORMATS: Readonly<Record<string, [() => Promise<Buffer>, string]>> = {
    JPEG: [() => scene().jpeg().toBuffer(), 'jpg'],
    'progressive JPEG': [() => scene().jpeg({ progressive: true }).toBuffer(), 'jpg'],
    PNG: [() => scene().png().toBuffer(), 'png'],
    'interlaced PNG': [() => scene().png({ progressive: true }).toBuffer(), 'png'],
    'PNG with a palette': [() => scene().png({ palette: true }).toBuffer(), 'png'],
    GIF: [() => scene().gif().toBuffer(), 'png'],
  };
  it.each(Object.entries(FORMATS))('are encoded again: %s', async (_name, [make, extension]) => {
    const picture = await encodeOne(pictures, await make());
    expect(picture).toMatchObject({ width: 400, height: 200, extension });
    expect(picture.path).toBe(`/pictures/u/${picture.hash}-l.${extension}`);
    expect(picture.size).toBe(picture.large.length);
    expect(await sharp(picture.large).metadata()).toMatchObject({
      format: extension === 'jpg' ? 'jpeg' : 'png',
      space: 'srgb',
      depth: 'uchar',
    });
    expect(await colourAt(picture, 100, 150)).toEqual(RED);
    expect(await colourAt(picture, 300, 150)).toEqual(BLUE);
    expect(await colourAt(picture, 100, 20)).toEqual(DARK_RED);
  });

  it('have two sizes, and are never enlarged', async () => {
    const sizes = async (width: number, height: number): Promise<(number | undefined)[]> => {
      const { large, small } = await encodeOne(
        pictures,
        await flat(width, height).png().toBuffer(),
      );
      const [one, other] = await Promise.all([sharp(large).metadata(), sharp(small).metadata()]);
      return [one.width, one.height, other.width, other.height];
    };
    expect(await sizes(3000, 1500)).toEqual([1200, 600, 300, 150]);
    expect(await sizes(900, 1800)).toEqual([600, 1200, 150, 300]);
    expect(await sizes(400, 300)).toEqual([400, 300, 300, 225]);
    expect(await sizes(30, 20)).toEqual([30, 20, 30, 20]);
    expect(await sizes(16_384, 1)).toEqual([1200, 1, 300, 1]);
  });

  it('are named by the hash of their content', async () => {
    const [one, again, other] = await Promise.all(
      ['#123', '#123', '#124'].map(async (colour) =>
        encodeOne(pictures, await flat(50, 50, colour).png().toBuffer()),
      ),
    );
    expect(one?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(again?.hash).toBe(one?.hash);
    expect(other?.hash).not.toBe(one?.hash);
  });

  it('keep transparency', async () => {
    const { large, small } = await encodeOne(pictures, await scene(400, 200, 4).png().toBuffer());
    for (const file of [large, small]) {
      const { channels, isOpaque } = await sharp(file).stats();
      expect([channels.length, isOpaque]).toEqual([4, false]);
    }
  });

  it('become stills: the first frame of an animation', async () => {
    const frames = ['#ff0000', '#00ff00', '#0000ff'].flatMap((c) => Array<string>(20).fill(c));
    const images = await Promise.all(frames.map((colour) => flat(64, 48, colour).png().toBuffer()));
    const animation = await sharp(images, { join: { animated: true } })
      .gif({ loop: 0, delay: 50 })
      .toBuffer();
    expect((await sharp(animation, { animated: true }).metadata()).pages).toBeGreaterThan(2);
    const picture = await encodeOne(pictures, animation);
    expect(picture).toMatchObject({ width: 64, height: 48 });
    expect((await sharp(picture.large).metadata()).pages).toBeUndefined();
    expect(await colourAt(picture, 30, 30)).toEqual([256, 0, 0]);
  });

  it('become sRGB with 8 bits: from CMYK, 16 bits, grey and one bit', async () => {
    const grey16 = Buffer.alloc(2 * 8 * 8, 0x80);
    const coloured = await Promise.all([
      scene().toColourspace('cmyk').jpeg().toBuffer(),
      scene().toColourspace('rgb16').png().toBuffer(),
      scene().greyscale().jpeg().toBuffer(),
    ]);
    const made = [
      ...coloured,
      handmadePng(8, 8, 16, grey16),
      handmadePng(8, 8, 1, Buffer.alloc(8, 0xaa)),
    ];
    expect((await sharp(made[0]).metadata()).space).toBe('cmyk');
    expect((await sharp(made[1]).metadata()).depth).toBe('ushort');
    const drawn = await Promise.all(made.map((bytes) => encodeOne(pictures, bytes)));
    for (const { large } of drawn) {
      expect(await sharp(large).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
    }
    expect(await colourAt(drawn[1] as EncodedPicture, 100, 150)).toEqual(RED);
    expect(await colourAt(drawn[3] as EncodedPicture, 3, 3)).toEqual([128, 128, 128]);
    expect(await colourAt(drawn[4] as EncodedPicture, 0, 3)).toEqual([256, 256, 256]);
    expect(await colourAt(drawn[4] as EncodedPicture, 1, 3)).toEqual([0, 0, 0]);
  });
});

describe('EXIF and other metadata of a picture', () => {
  const gps = { IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } };

  it.each(['jpeg', 'png'] as const)(
    'is removed: position, camera, colour profile (%s)',
    async (kind) => {
      const bytes = await scene()
        .withExif(gps)
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
        .withIccProfile('p3')
        .toFormat(kind)
        .toBuffer();
      const before = await sharp(bytes).metadata();
      expect([before.exif, before.icc, before.xmp].map(Boolean)).toEqual([true, true, true]);
      const { large, small } = await encodeOne(pictures, bytes);
      for (const file of [large, small]) {
        const { exif, icc, xmp, iptc } = await sharp(file).metadata();
        expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
        expect(file.includes('Somebody') || file.includes('secret')).toBe(false);
      }
    },
  );

  it('rotates the picture before it is removed', async () => {
    // 6: the camera's upper edge is at the right; shown, the picture stands upright.
    const bytes = await scene().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const picture = await encodeOne(pictures, bytes);
    expect(picture).toMatchObject({ width: 200, height: 400 });
    expect((await sharp(picture.large).metadata()).orientation).toBeUndefined();
    expect(await colourAt(picture, 100, 100)).toEqual(RED);
    expect(await colourAt(picture, 190, 100)).toEqual(DARK_RED);
    expect(await colourAt(picture, 100, 300)).toEqual(BLUE);
  });

  it('is not served: scripts and pages appended to or inside a picture', async () => {
    const script = Buffer.from('<script>alert(document.domain)</script>');
    const jpeg = await scene().jpeg().toBuffer();
    const gif = await scene().gif().toBuffer();
    const comment = Buffer.from(gif);
    const polyglots = [
      Buffer.concat([jpeg, Buffer.from('<html>'), script]),
      Buffer.concat([gif, script]),
      // The size of the screen reads `/*`, as in pictures that are scripts, too.
      Buffer.concat([comment.subarray(0, 6), Buffer.from('/*'), comment.subarray(8), script]),
    ];
    for (const bytes of polyglots) {
      const { large, small } = await encodeOne(pictures, bytes);
      expect(large.includes('script') || small.includes('script')).toBe(false);
    }
  });
});

describe('error 1008', () => {
  const OTHERS: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
    nothing: () => Buffer.alloc(0),
    'a byte': () => Buffer.from([0xff]),
    text: () => Buffer.from('BM, as every text may begin, is no proof of a picture'),
    HTML: () => Buffer.from('<!doctype html><title>GIF89a</title>'),
    SVG: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    PDF: () => Buffer.from('%PDF-1.7\n1 0 obj\n'),
    WebP: () => scene().webp().toBuffer(),
    TIFF: () => scene().tiff().toBuffer(),
    AVIF: () => flat(64, 64).avif({ effort: 0 }).toBuffer(),
    HEIC: () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    ICO: () => Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
  };
  it.each(Object.entries(OTHERS))('is returned for %s', async (_name, make) => {
    expect(await codeOf(await make())).toBe(1008);
  });
});

/** A JPEG with a comment, or something else, and fill bytes before each of its scans. */
function hideScans(jpeg: Buffer, before = '\xff\xfe\x00\x04\xff\xd9'): Buffer {
  const text = jpeg.toString('latin1').replaceAll('\xff\xda', `${before}\xff\xff\xff\xda`);
  return Buffer.from(text, 'latin1');
}

describe('error 1009', () => {
  const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
  const BROKEN: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
    'half a JPEG': async () => half(await noise(200, 200).jpeg().toBuffer()),
    'half a PNG': async () => half(await noise(200, 200).png().toBuffer()),
    'half a GIF': async () => half(await noise(200, 200).gif().toBuffer()),
    'half a BMP': () => half(bmp()),
    'the signature of a JPEG': () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    'the signature of a PNG': () => handmadePng(1, 1, 8).subarray(0, 8),
    'the signature of a GIF': () => Buffer.from('GIF89a'),
    'a PNG that is a WebP inside': async () =>
      Buffer.concat([handmadePng(1, 1, 8).subarray(0, 8), await scene().webp().toBuffer()]),
    'a JPEG that is an SVG inside': () =>
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<svg width="9" height="9"/>')]),
    'a PNG without pixels for its size': () => {
      const small = handmadePng(10, 10, 8);
      const large = handmadePng(1000, 1000, 8);
      return Buffer.concat([large.subarray(0, 33), small.subarray(33)]);
    },
    'a picture without height': () => handmadePng(10, 0, 8),
    'a side that is too long': () => handmadePng(16_385, 1, 1),
    'too many pixels': () => handmadePng(7100, 7100, 1),
    'a JPEG with too many scans': () => jpegWithScans(101),
    'a JPEG whose scans follow other segments': () => hideScans(jpegWithScans(101)),
    'a JPEG whose scans follow reserved markers': () =>
      hideScans(jpegWithScans(101), '\xff\x02\xff\xff'),
  };
  it.each(Object.entries(BROKEN))('is returned for %s', async (_name, make) => {
    expect(await codeOf(await make())).toBe(1009);
  });

  it('is returned for a picture with too many pixels', async () => {
    expect(await codeOf(handmadePng(30_000, 30_000, 1))).toBe(1009);
  });
});

describe('a large picture', () => {
  it('of almost 3 MB is accepted', async () => {
    const limit = 3 * 1024 * 1024;
    const png = paddedPng(await noise(900, 900).png().toBuffer(), limit - 1);
    expect(png.length).toBe(limit - 1);
    expect(await encodeOne(pictures, png)).toMatchObject({ width: 900, height: 900 });
  });
});

describe('input that would take much time or memory', () => {
  it('is skipped: compressed texts of a PNG', async () => {
    const bomb = pngWithTexts(20, 7_900_000);
    expect(await encodeOne(pictures, bomb)).toMatchObject({ width: 1, height: 1 });
  });

  it('is bounded: a JPEG with 100 scans, without comments and trailing bytes', async () => {
    const jpeg = jpegWithScans(100);
    const scan = Buffer.from('\xff\xda', 'latin1');
    const comment = Buffer.from('\xff\xfe\x00\x04\xff\xda', 'latin1');
    const bytes = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), scan, scan]);
    expect(await encodeOne(pictures, bytes)).toMatchObject({
      width: 8,
      height: 8,
      extension: 'jpg',
    });
  });

  it('is kept where it affects the image: the transparent colour of a PNG', async () => {
    const grey = handmadePng(2, 1, 8, Buffer.from([0, 128]));
    const clear = pngWithChunks(grey, 'tRNS', [Buffer.from([0, 128])]);
    const { large } = await encodeOne(pictures, clear);
    const { data, info } = await sharp(large).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect([data[3], data[7]]).toEqual([255, 0]);
  });
});
