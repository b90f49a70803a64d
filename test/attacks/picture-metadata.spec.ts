import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { relevantSegments } from '../../src/images/jpeg-segments';
import { readHeader, reencode } from '../../src/images/picture-encoding';
import { relevantChunks } from '../../src/images/png-chunks';
import { handmadePng, pngWithChunks, scene } from '../factories/pictures';
import { figure } from '../figures';

/** As many entries as a segment of a JPEG holds. */
const ENTRIES = 5400;

/** Exif metadata whose only directory consists of pointers to itself. */
function selfReferring(): Buffer {
  const exif = Buffer.alloc(10 + ENTRIES * 12 + 4);
  exif.write('II*\0', 'latin1');
  exif.writeUInt32LE(8, 4);
  exif.writeUInt16LE(ENTRIES, 8);
  for (let at = 10; at < 10 + ENTRIES * 12; at += 12) {
    exif.writeUInt16LE(0x8769, at);
    exif.writeUInt16LE(4, at + 2);
    exif.writeUInt32LE(1, at + 4);
    exif.writeUInt32LE(8, at + 8);
  }
  return exif;
}

const NOTHING = Buffer.alloc(0);

/** A segment of a JPEG. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A JPEG with bytes inserted before its first segment. */
const jpegWith = (jpeg: Buffer, inserted: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...inserted, jpeg.subarray(2)]);

const withPrefix = (exif: Buffer): Buffer =>
  Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await scene(40, 20).jpeg().toBuffer();
});

describe('Exif metadata with thousands of pointers to itself', () => {
  const png = handmadePng(16, 16, 8);

  it('does not reach the decoder of JPEG, wherever it is', () => {
    const exif = segment(0xe1, withPrefix(selfReferring()));
    const once = relevantSegments(jpegWith(jpeg, [exif]));
    expect(once.length).toBeLessThan(jpeg.length + 50);
    const fill = Buffer.from([0xff, 0xff, 0xff]);
    const skipped = Buffer.from([0x00, 0xff, 0xd0, 0xff, 0x01]);
    for (const before of [[exif], [fill], [skipped], [skipped, fill, exif]]) {
      expect(relevantSegments(jpegWith(jpeg, [...before, exif]))).toEqual(once);
    }
  });

  it('does not reach the decoder of PNG', () => {
    const bytes = pngWithChunks(png, 'eXIf', [selfReferring()]);
    expect(relevantChunks(bytes).length).toBeLessThan(png.length + 50);
  });

  it('takes no more time than in other pictures', async () => {
    await reencode(jpeg, await readHeader(jpeg));
    const pictures = [
      jpegWith(jpeg, [segment(0xe1, withPrefix(selfReferring()))]),
      pngWithChunks(png, 'eXIf', [selfReferring()]),
    ];
    const before = process.cpuUsage();
    for (const bytes of pictures) await reencode(bytes, await readHeader(bytes));
    const { user, system } = process.cpuUsage(before);
    figure('Exif pointers: ms of CPU', (user + system) / 1000, { atMost: 500 });
  });
});

/** A profile with the given tags, which have no data. */
function aProfile(...tags: readonly string[]): Buffer {
  const profile = Buffer.alloc(128 + 4 + 12 * tags.length);
  profile.writeUInt32BE(tags.length, 128);
  tags.forEach((tag, at) => profile.write(tag, 132 + 12 * at, 'latin1'));
  return profile;
}

/** A segment of a JPEG with a part of a profile. */
const profileSegment = (part: Buffer, number: number, count: number): Buffer =>
  segment(
    0xe2,
    Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.of(number, count), part]),
  );

describe('a color profile', () => {
  const plain = aProfile('rXYZ', 'A2B0');

  it('of at most 255 segments reaches the decoder of JPEG in its order, and no other metadata', () => {
    const parts = Array.from({ length: 255 }, (_, at) =>
      profileSegment(at === 0 ? plain : NOTHING, at + 1, 255),
    );
    const others = [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xfe].map((marker) => segment(marker, NOTHING));
    const many = parts.toReversed().flatMap((part) => [...others, part]);
    const kept = relevantSegments(jpegWith(jpeg, [...many, ...others]));
    expect(kept.length).toBe(jpeg.length + parts.reduce((sum, part) => sum + part.length, 0));
    expect(kept.includes(Buffer.concat(parts))).toBe(true);
  });

  it.each([
    ['multi-process elements', [profileSegment(aProfile('rXYZ', 'D2B0'), 1, 1)]],
    ['multi-process elements to a device', [profileSegment(aProfile('B2D3'), 1, 1)]],
    ['a missing part', [profileSegment(plain, 1, 2)]],
    ['a repeated part', [profileSegment(plain, 1, 2), profileSegment(NOTHING, 1, 2)]],
    ['an incomplete table', [profileSegment(plain.subarray(0, -1), 1, 1)]],
    ['no table', [profileSegment(NOTHING, 1, 1)]],
    ['a thousand parts', Array.from({ length: 1000 }, () => profileSegment(plain, 1, 255))],
  ])('with %s does not reach the decoder of JPEG', (_, segments) => {
    expect(relevantSegments(jpegWith(jpeg, segments)).length).toBe(jpeg.length);
  });

  it('reaches the decoder of PNG once, unless it takes long to apply or is larger than 4 MB', () => {
    const png = handmadePng(16, 16, 8);
    const chunk = (profile: Buffer): Buffer =>
      Buffer.concat([Buffer.from('name\0\0', 'latin1'), deflateSync(profile)]);
    const kept = (...chunks: readonly Buffer[]): number =>
      relevantChunks(pngWithChunks(png, 'iCCP', chunks)).length - png.length;
    const size = 12 + chunk(plain).length;
    expect(kept(chunk(plain), chunk(plain))).toBe(size);
    expect(kept(chunk(aProfile('D2B1')), chunk(plain))).toBe(0);
    expect(kept(chunk(Buffer.concat([plain, Buffer.alloc(4 * 1024 * 1024)])))).toBe(0);
    expect(kept(chunk(plain).subarray(0, -9))).toBe(0);
  });

  it('of a display is applied', async () => {
    const wide = await scene(40, 20).withIccProfile('p3').jpeg().toBuffer();
    expect((await sharp(wide).metadata()).icc).toBeDefined();
    expect(relevantSegments(wide).includes('ICC_PROFILE')).toBe(true);
    expect(await upright(relevantSegments(wide))).toEqual(await upright(wide));
  });
});

/** Exif metadata with an orientation in the given order of bytes, after another entry. */
function oriented(orientation: number, isLittle: boolean, type: 3 | 4): Buffer {
  const exif = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  const short = (value: number, at: number): unknown =>
    isLittle ? exif.writeUInt16LE(value, at) : exif.writeUInt16BE(value, at);
  const long = (value: number, at: number): unknown =>
    isLittle ? exif.writeUInt32LE(value, at) : exif.writeUInt32BE(value, at);
  exif.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1');
  long(8, 4);
  short(2, 8);
  for (const [at, tag, value] of [
    [10, 0x0101, 7],
    [22, 0x0112, orientation],
  ] as const) {
    short(tag, at);
    short(type, at + 2);
    long(1, at + 4);
    (type === 3 ? short : long)(value, at + 8);
  }
  return exif;
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('a picture of the orientation %i', (orientation) => {
  it.each([
    [true, 3],
    [false, 3],
    [true, 4],
  ] as const)('keeps its pixels as a JPEG (little-endian: %s, type %i)', async (isLittle, type) => {
    const exif = oriented(orientation, isLittle, type);
    const comment = segment(0xfe, Buffer.from('a comment'));
    const bytes = jpegWith(jpeg, [comment, segment(0xe1, withPrefix(exif)), comment]);
    expect(await upright(relevantSegments(bytes))).toEqual(await upright(bytes));
  });

  it('keeps its pixels as a PNG', async () => {
    const png = await scene(40, 20).png().toBuffer();
    const bytes = pngWithChunks(png, 'eXIf', [oriented(orientation, false, 3)]);
    expect(await upright(relevantChunks(bytes))).toEqual(await upright(bytes));
  });
});

/** The pixels of a picture as shown, with the size. */
async function upright(bytes: Buffer): Promise<unknown> {
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [info.width, info.height, data.toString('base64')];
}

it.each([
  ['no segments', [0xff, 0xd8, 0xff]],
  ['an end without pixels', [0xff, 0xd8, 0xff, 0xd9]],
  ['a segment that ends outside', [0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]],
  ['a segment whose length is missing', [0xff, 0xd8, 0xff, 0xe0, 0]],
  ['arithmetic coding', [0xff, 0xd8, 0xff, 0xc9, 0, 2, 0xff, 0xda, 0, 2]],
  ['progressive arithmetic coding', [0xff, 0xd8, 0xff, 0xca, 0, 2, 0xff, 0xda, 0, 2]],
  ['a second start', [0xff, 0xd8, 0xff, 0xd8, 0xff, 0xda, 0, 2]],
])('refuses a JPEG with %s', async (_, bytes) => {
  await expect(readHeader(Buffer.from(bytes))).rejects.toThrow('image_wrong_format');
});

it.each([
  ['an empty one', Buffer.alloc(0)],
  ['a header alone', Buffer.from('II*\0\xff\xff\xff\xff', 'latin1')],
  ['a directory outside', Buffer.from('MM\0*\x7f\0\0\0', 'latin1')],
  ['an incomplete entry', Buffer.from('MM\0*\0\0\0\x08\xff\xff\x01\x12\0\x03', 'latin1')],
])('accepts a picture with invalid Exif metadata: %s', async (_, exif) => {
  const bytes = jpegWith(jpeg, [segment(0xe1, withPrefix(exif))]);
  await expect(readHeader(bytes)).resolves.toMatchObject({ width: 40, height: 20 });
});
