import type Sharp from 'sharp';
import { ApiError, unavailable } from '../api/errors/error-codes';
import { bmpBytes, bmpChannels, decodeBmp, readBmpHeader, type BmpHeader } from './bmp';
import { decoderBytes, fileBytes, MAX_DECODER_BYTES, resizeBytes } from './decoder-memory';
import { countScans } from './jpeg-scans';
import { relevantSegments } from './jpeg-segments';
import { isWithinPixelLimits, requireFormat, type PictureFormat } from './picture-formats';
import { type Extension } from './picture-names';
import { relevantChunks } from './png-chunks';

/** Longer side in pixels of a stored picture and of its thumbnail. */
const LARGE_SIDE = 1200;
const SMALL_SIDE = 300;

const JPEG_QUALITY = 85;

/**
 * Maximum number of JPEG scans. Encoders write about ten; a hundred in the largest picture take two
 * seconds.
 */
const MAX_SCANS = 100;
/** Up to this number, scans cost little beside the rest of the work. */
const USUAL_SCANS = 25;

/** The header of a file, which is checked before decoding. */
export interface ImageHeader {
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
  /** Approximate cost of decoding a pixel, relative to 8 bits a color in one pass; 1 if absent. */
  readonly costFactor?: number;
  /** Memory in bytes to decode and reduce it; 0 if absent. */
  readonly decoderBytes?: number;
  /** Only for a BMP. */
  readonly bmp?: BmpHeader;
}

/** The re-encoded files of a picture. */
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

/**
 * Loads the library and disables all decoders except those of accepted formats.
 * @throws ApiError 999 with 503 when its binary is not installed
 */
async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp').catch((error: unknown) => {
    throw unavailable(error, { detail: 'the server cannot process pictures' });
  });
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif'],
  });
  // One thread per picture and no cache, so that the semaphore bounds the memory.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

let loaded: Promise<typeof Sharp> | undefined;
/** Loaded with the first picture, to save memory when there are none. A failure is not kept. */
const library = (): Promise<typeof Sharp> =>
  (loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  }));

/**
 * Messages of failed allocations: of the decoder of JPEG (`jerror.h` of libjpeg-turbo, the error
 * JERR_OUT_OF_MEMORY), of libvips, and of V8. The limits on pictures are far below the sizes that
 * these reject without an allocation.
 */
const OUT_OF_MEMORY =
  /Insufficient memory \(case \d+\)|out of memory -- size == \d+MB|Array buffer allocation failed/;

/** 1009, or 999 with 503 when the system has too little memory for a picture that may be valid. */
const decodingError = (detail: string, error: unknown): ApiError =>
  error instanceof Error && OUT_OF_MEMORY.test(error.message)
    ? unavailable(error)
    : wrongFormat(detail, error);

/** The part of a file that the library decodes. */
function decodable(bytes: Buffer, format: PictureFormat): Buffer {
  if (format === 'jpeg') return relevantSegments(bytes);
  return format === 'png' ? relevantChunks(bytes) : bytes;
}

async function sizeOf(bytes: Buffer, format: Exclude<PictureFormat, 'bmp'>): Promise<ImageHeader> {
  const sharp = await library();
  const file = decodable(bytes, format);
  const found = await sharp(file, { limitInputPixels: false }).metadata();
  if (found.format !== format) throw new Error(`the content is ${found.format}`);
  // With several frames loaded, `height` would be that of all frames; only one is loaded.
  const { width, height, channels, isProgressive } = found;
  const isWide = found.depth === 'ushort';
  const picture = { format, width, height, channels, isProgressive, isWide };
  const costFactor = (isWide ? 2 : 1) * (isProgressive ? 2 : 1);
  const memory = decoderBytes(file, picture) + fileBytes(bytes);
  return { format, width, height, costFactor, decoderBytes: memory };
}

function bmpClaim(bytes: Buffer): ImageHeader {
  const bmp = readBmpHeader(bytes);
  const { width, height } = bmp;
  const channels = bmpChannels(bmp);
  const format = { format: 'bmp', width, height } as const;
  const pixels = { ...format, channels, isWide: false, isProgressive: false };
  const memory = bmpBytes(bmp) + resizeBytes(pixels, true) + fileBytes(bytes);
  return { ...format, decoderBytes: memory, bmp };
}

/**
 * Reads the format and size of a file from its first bytes.
 * @throws ApiError 1008 for anything but JPEG, PNG, GIF and BMP; 1009 for an invalid header, an
 *   excessive size, a decoder that needs too much memory, and a JPEG with too many scans; 999 with
 *   503 when the library cannot be loaded, or the system has too little memory
 */
export async function readHeader(bytes: Buffer): Promise<ImageHeader> {
  const format = requireFormat(bytes);
  if (format !== 'bmp') await library();
  let claim: ImageHeader;
  try {
    if (format === 'bmp') {
      claim = bmpClaim(bytes);
    } else {
      claim = await sizeOf(bytes, format);
    }
  } catch (error) {
    throw decodingError('the picture has no readable header', error);
  }
  if (!isWithinPixelLimits(claim.width, claim.height)) {
    throw wrongFormat(`the size of ${claim.width} x ${claim.height} pixels is not supported`);
  }
  if (claim.decoderBytes !== undefined && claim.decoderBytes > MAX_DECODER_BYTES) {
    const megabytes = Math.ceil(claim.decoderBytes / 1_000_000);
    throw wrongFormat(
      `decoding the picture needs ${megabytes} MB, and at most ${MAX_DECODER_BYTES / 1_000_000} MB are supported`,
    );
  }
  if (format !== 'jpeg') return claim;
  const scans = countScans(bytes, MAX_SCANS);
  if (scans > MAX_SCANS) throw wrongFormat(`more than ${MAX_SCANS} scans are not supported`);
  return { ...claim, costFactor: (claim.costFactor ?? 1) * Math.max(1, scans / USUAL_SCANS) };
}

async function open(
  bytes: Buffer,
  { format, bmp, width, height }: ImageHeader,
): Promise<Sharp.Sharp> {
  const sharp = await library();
  if (!bmp) {
    // Warnings are ignored, because the files of many cameras and editors cause them.
    const options = { failOn: 'error', limitInputPixels: width * height, pages: 1 } as const;
    return sharp(decodable(bytes, format), options);
  }
  const { data, channels } = await decodeBmp(bytes, bmp);
  return sharp(data, { raw: { width, height, channels } });
}

/**
 * Decodes a picture and re-encodes it in two sizes: upright, in sRGB, with 8 bits per color. All
 * metadata and appended data is dropped, such as location, camera and comments. JPEG stays JPEG;
 * other formats become PNG, which is lossless. An animation keeps its first frame.
 * @throws ApiError 1009 for a picture that cannot be decoded; 999 with 503 as {@link readHeader}
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
    const toSharp = () => sharp(data, { raw: { width, height, channels } });
    const small = toSharp().resize({
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
      large: await written(toSharp()),
      small: await written(small),
    };
  } catch (error) {
    throw decodingError('the picture cannot be decoded', error);
  }
}
