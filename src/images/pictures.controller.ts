import { Controller, Get, Logger, Param, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { KeyedSemaphore } from '../api/body/keyed-semaphore';
import { ApiError, unavailable } from '../api/errors/error-codes';
import { isSecure } from '../api/http/client-address';
import { type ApiRequest } from '../api/http/request-context';
import { httpsNeeded } from '../api/http/https';
import { sendStream } from '../api/http/send-stream';
import { Public, RespondsPage } from '../api/routing/route';
import { Settings } from '../config/settings';
import { Database, statement } from '../database/database';
import {
  CONTENT_TYPES,
  fileName,
  parseName,
  parsePrivateName,
  pathOf,
  type PictureName,
} from './picture-names';
import { PictureSigner } from './picture-signer';
import { notMounted, PictureStorage, WrongFileSize, type ByteRange } from './picture-storage';

/** Cache lifetime of a public picture in seconds: it never changes. */
const YEAR = 31_536_000;

/** Maximum cache lifetime in seconds of a file whose size is not known: it may be damaged. */
const HOUR = 3600;

// A picture without a public use is not found, so that private uses are not revealed.
const PUBLIC = statement(
  'pictures.public',
  `SELECT p.bytes, p.small_bytes FROM pictures p
   WHERE p.hash = decode($1, 'hex') AND p.extension = $2
     AND EXISTS (SELECT FROM picture_uses u WHERE u.hash = p.hash AND NOT u.private)`,
);

const OF_USE = statement(
  'pictures.of_use',
  `SELECT encode(p.hash, 'hex') AS hash, p.bytes, p.small_bytes
   FROM picture_uses u JOIN pictures p ON p.hash = u.hash
   WHERE u.subject = $1 AND u.subject_id = $2 AND u.number = $3 AND p.extension = $4`,
);

/** A single byte range; other values of `Range` return the complete file. */
function rangeOf(request: ApiRequest, etag: string): ByteRange | undefined {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const [, start, end] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(request.headers.range ?? '') ?? [];
  if (start === undefined) {
    const [, last] = /^bytes=-(\d{1,15})$/.exec(request.headers.range ?? '') ?? [];
    return last === undefined ? undefined : { last: Number(last) };
  }
  const range = { start: Number(start), end: end ? Number(end) : undefined };
  return range.end !== undefined && range.end < range.start ? undefined : range;
}

/** Sizes of the files of a picture in bytes; of the small one null where it is not known. */
interface FileSizes {
  readonly bytes: number;
  readonly small_bytes: number | null;
}

/** Files that are opened at once for one address. */
const OPENED_AT_ONCE = 4;

/** The file of a picture in the storage. */
interface StoredPicture {
  readonly name: string;
  /** Size in bytes; undefined where it is not stored. */
  readonly size: number | undefined;
}

/** A file to send. */
interface ServedPicture {
  readonly name: PictureName;
  /** Size of the file in bytes; undefined where it is not known. */
  readonly size: number | undefined;
  /** Seconds for which its content or its signature does not change. */
  readonly lifetime: number;
  readonly isPublic: boolean;
}

const sizeOf = ({ variant }: Pick<PictureName, 'variant'>, sizes: FileSizes): number | undefined =>
  variant === 'l' ? sizes.bytes : (sizes.small_bytes ?? undefined);

/** `Cache-Control` of a picture. */
function cacheControlOf({ size, lifetime, isPublic }: ServedPicture): string {
  const seconds = size === undefined ? Math.min(lifetime, HOUR) : lifetime;
  if (!isPublic) return `private, max-age=${seconds}`;
  return `public, max-age=${seconds}${size === undefined ? '' : ', immutable'}`;
}

/**
 * Serves uploaded pictures. The URL of a public use is that of the content. A private use has its
 * own signed URL, which works independently of other uses of the same content.
 */
@Controller('pictures/u')
export class PicturesController {
  private readonly logger = new Logger(PicturesController.name);
  // Files are opened in the order of requests, so that one client would delay those of all others.
  private readonly turns = new KeyedSemaphore<string>(OPENED_AT_ONCE);

  constructor(
    private readonly database: Database,
    private readonly storage: PictureStorage,
    private readonly signer: PictureSigner,
    private readonly settings: Settings,
  ) {}

  @Get(':name')
  @Public()
  @RespondsPage()
  async serve(
    @Param('name') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const served = (await this.findPrivate(name, request)) ?? (await this.findPublic(name));
    if (!served) throw new ApiError('uriNotFound');
    const { hash, variant, extension } = served.name;
    const file = fileName(hash, variant, extension);
    const etag = `"${hash}-${variant}"`;
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', cacheControlOf(served));
    response.setHeader('Content-Type', CONTENT_TYPES[extension]);
    await this.send({ name: file, size: served.size }, etag, request, response);
  }

  private async findPublic(file: string): Promise<ServedPicture | undefined> {
    const name = parseName(file);
    if (!name) return undefined;
    const values = [name.hash, name.extension];
    const [found] = await this.database.query<FileSizes>(PUBLIC, values);
    return found && { name, size: sizeOf(name, found), lifetime: YEAR, isPublic: true };
  }

  /**
   * Finds the picture of a private use. The signature is verified first, so that the existence of a
   * use is not revealed.
   * @throws ApiError 100 over plain HTTP where HTTPS is required, 1010, 1011
   */
  private async findPrivate(name: string, request: ApiRequest): Promise<ServedPicture | undefined> {
    const use = parsePrivateName(name);
    if (!use) return undefined;
    // A signed URL grants access like a token, so it requires HTTPS (D17).
    if (this.settings.requireHttps && !isSecure(request)) throw httpsNeeded();
    const { ck, e } = request.context.query;
    const left = this.signer.check(pathOf(name), ck, e);
    const { subject, id, number, variant, extension } = use;
    const values = [subject, id, number, extension];
    const [found] = await this.database.query<FileSizes & { hash: string }>(OF_USE, values);
    if (!found) return undefined;
    const picture = { hash: found.hash, variant, extension };
    return { name: picture, size: sizeOf(picture, found), lifetime: left, isPublic: false };
  }

  private async send(
    picture: StoredPicture,
    etag: string,
    request: ApiRequest,
    response: Response,
  ): Promise<void> {
    const { name, size } = picture;
    response.setHeader('Accept-Ranges', 'bytes');
    if (request.fresh) {
      response.removeHeader('Content-Type');
      response.status(304).end();
      return;
    }
    if (request.method === 'HEAD') {
      // HEAD has no ranges (RFC 9110 14.2).
      const length = await this.read(picture, request, () => this.storage.findSize(name, size));
      response.setHeader('Content-Length', length).end();
      return;
    }
    const range = rangeOf(request, etag);
    const file = await this.read(picture, request, () => this.storage.get(name, range, size));
    if (file.range !== undefined) {
      response.status(206).setHeader('Content-Range', file.range);
    }
    response.setHeader('Content-Length', file.length);
    await sendStream(file.stream, response);
  }

  /**
   * Reads from the storage when the address of the request has a turn.
   * @throws ApiError 1001 for a missing file; 999 with 503 for a file of another size, or when no
   *   picture has a file
   */
  private async read<Result>(
    { name, size }: StoredPicture,
    request: ApiRequest,
    work: () => Promise<Result | undefined>,
  ): Promise<Result> {
    const place = this.storage.placeOf(name) ?? name;
    const { addressKey, presence } = request.context;
    const end = await this.turns.acquire(addressKey, presence.signal()).catch((error: unknown) => {
      throw unavailable(error);
    });
    try {
      const result = await work();
      if (result !== undefined) return result;
      throw (await this.storage.mayBeUnmounted()) ? notMounted() : this.lost(place);
    } catch (error) {
      throw error instanceof WrongFileSize ? this.damaged(place, error.size, size) : error;
    } finally {
      end();
    }
  }

  /** Logs a file with another size than it was stored with. Caches would keep it for a year. */
  private damaged(place: string, size: number, stored: number | undefined): ApiError {
    this.logger.warn(`the file of a picture has ${size} bytes instead of ${stored}: ${place}`);
    return unavailable(new Error('the file of a picture has another size'));
  }

  /** Logs a missing file, because the operator must know. */
  private lost(place: string): ApiError {
    this.logger.warn(`the file of a picture is missing: ${place}`);
    return new ApiError('uriNotFound');
  }
}
