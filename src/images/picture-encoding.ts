import type Sharp from 'sharp';
import { ApiError } from '../api/errors/errors';
import { decodeBmp, readBmpHeader, type BmpHeader } from './bmp';
import { countScans } from './jpeg-scans';
import { formatOf, isReasonable, type PictureFormat } from './picture-formats';
import { type Extension } from './picture-names';
import { relevantChunks } from './png-chunks';

/** Longer side of the two files that are made of a picture, in pixels. */
const LARGE_SIDE = 1200;
const SMALL_SIDE = 300;

const JPEG_QUALITY = 85;

/** Scans of a JPEG. Encoders write about ten; a hundred of the largest picture take two seconds. */
const MAX_SCANS = 100;

/** What a file says of itself, which is checked before anything is decoded. */
export interface ImageHeader {
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
  /** Of a BMP. */
  readonly bmp?: BmpHeader;
}

/** The files that are kept of a picture. */
export interface ReencodedPicture {
  readonly extension: Extension;
  readonly width: number;
  readonly height: number;
  readonly large: Buffer;
  readonly small: Buffer;
}

/** 1009: a picture that is not taken. */
export const wrongFormat = (detail: string, cause?: unknown): ApiError =>
  new ApiError('imageWrongFormat', { detail, cause });

/** Loads the library; it decodes nothing but what pictures may be, whatever it could. */
async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif'],
  });
  // One thread a picture and nothing kept between two: memory is bounded by who may draw at once.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

let loaded: Promise<typeof Sharp> | undefined;
/** Loaded with the first picture: a service without pictures saves the memory. */
const library = (): Promise<typeof Sharp> => (loaded ??= load());

/** What the library gets of a file. */
const decodable = (bytes: Buffer, format: PictureFormat): Buffer =>
  format === 'png' ? relevantChunks(bytes) : bytes;

async function sizeOf(bytes: Buffer, format: Exclude<PictureFormat, 'bmp'>): Promise<ImageHeader> {
  const sharp = await library();
  const found = await sharp(decodable(bytes, format), { limitInputPixels: false }).metadata();
  if (found.format !== format) throw new Error(`it is ${found.format} inside`);
  // Of an animation, `height` is that of all frames when several are loaded; only one is.
  return { format, width: found.width, height: found.height };
}

/**
 * What a file claims to be, by its first bytes and its header.
 *
 * @throws ApiError 1008 for anything but JPEG, PNG, GIF and BMP; 1009 for a header that cannot be
 * read or claims a size that is not taken, and for a JPEG with too many scans
 */
export async function readHeader(bytes: Buffer): Promise<ImageHeader> {
  const format = formatOf(bytes);
  if (format === undefined) {
    throw new ApiError('imageUnknown', { detail: 'pictures are JPG, JPEG, GIF, PNG or BMP' });
  }
  if (format !== 'bmp') await library();
  let claim: ImageHeader;
  try {
    if (format === 'bmp') {
      const bmp = readBmpHeader(bytes);
      claim = { format, width: bmp.width, height: bmp.height, bmp };
    } else {
      claim = await sizeOf(bytes, format);
    }
  } catch (error) {
    throw wrongFormat('the picture has no readable header', error);
  }
  if (!isReasonable(claim.width, claim.height)) {
    throw wrongFormat(`${claim.width} x ${claim.height} pixels are not taken`);
  }
  if (format === 'jpeg' && countScans(bytes, MAX_SCANS) > MAX_SCANS) {
    throw wrongFormat(`more than ${MAX_SCANS} scans are not taken`);
  }
  return claim;
}

async function open(
  bytes: Buffer,
  { format, bmp, width, height }: ImageHeader,
): Promise<Sharp.Sharp> {
  const sharp = await library();
  if (!bmp) {
    // Warnings are let pass: many cameras and editors give cause for them.
    const options = { failOn: 'error', limitInputPixels: width * height, pages: 1 } as const;
    return sharp(decodable(bytes, format), options);
  }
  const { data, channels } = await decodeBmp(bytes, bmp);
  return sharp(data, { raw: { width, height, channels } });
}

/**
 * Decodes a picture and draws it anew, upright, in sRGB with 8 bits a colour, in two sizes.
 * Nothing else of the file is kept: no place, camera, comment, nor what was appended. JPEG stays
 * JPEG; all others become PNG, which loses none of their pixels. Of an animation, its first frame.
 *
 * @throws ApiError 1009 for a picture that cannot be decoded
 */
export async function reencode(bytes: Buffer, claim: ImageHeader): Promise<ReencodedPicture> {
  const sharp = await library();
  try {
    const picture = await open(bytes, claim);
    const { data, info } = await picture
      .autoOrient()
      .resize({ width: LARGE_SIDE, height: LARGE_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const drawn = () => sharp(data, { raw: { width, height, channels } });
    const small = drawn().resize({
      width: SMALL_SIDE,
      height: SMALL_SIDE,
      fit: 'inside',
      withoutEnlargement: true,
    });
    const written = (one: Sharp.Sharp): Promise<Buffer> =>
      (claim.format === 'jpeg' ? one.jpeg({ quality: JPEG_QUALITY }) : one.png()).toBuffer();
    return {
      extension: claim.format === 'jpeg' ? 'jpg' : 'png',
      width,
      height,
      large: await written(drawn()),
      small: await written(small),
    };
  } catch (error) {
    throw wrongFormat('the picture cannot be decoded', error);
  }
}
