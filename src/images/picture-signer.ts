import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '../api/errors/errors';
import { type PathSigner, type PictureUseKey } from '../api/resources/resource';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { sharedSecret } from '../database/secrets';
import { privatePathOf } from './picture-names';

/** Name of the secret in the database. */
const SECRET = 'pictures';

/** An expiry is a multiple of this share of the lifetime: until then, addresses stay the same. */
const STEPS = 4;

/**
 * Signs and checks addresses of private pictures: `ck` is the HMAC-SHA-256 of path and expiry, `e`
 * the second when it expires.
 */
@Injectable()
export class PictureSigner implements PathSigner, OnModuleInit {
  private secret: string | undefined;
  private readonly lifetime: number;

  constructor(
    settings: Settings,
    private readonly database: Database,
  ) {
    this.secret = settings.PICTURES_SECRET;
    this.lifetime = settings.PICTURES_SIGNED_SECONDS;
  }

  async onModuleInit(): Promise<void> {
    // Writing the OpenAPI document needs no database, and has none.
    if (!this.database.source.isInitialized) return;
    this.secret ??= await sharedSecret(this.database, SECRET);
  }

  private mac(path: string, expires: string): string {
    if (this.secret === undefined) throw new Error('pictures are signed before the start');
    return createHmac('sha256', this.secret).update(`${path}\n${expires}`).digest('base64url');
  }

  /**
   * The path of a private use with its signature, which works for between three quarters of
   * `PICTURES_SIGNED_SECONDS` and all of them. What is no path of a user's picture stays as it is.
   */
  sign(file: string, use: PictureUseKey): string {
    const path = privatePathOf(file, use);
    if (path === undefined) return file;
    const step = Math.max(1, Math.floor(this.lifetime / STEPS));
    const latest = Math.floor(Date.now() / 1000) + this.lifetime;
    const expires = String(latest - (latest % step));
    return `${path}?ck=${this.mac(path, expires)}&e=${expires}`;
  }

  /**
   * Checks what came with a path.
   *
   * @returns seconds that it still works
   * @throws ApiError 1010 for a signature that is missing or not ours, 1011 for one that expired
   */
  check(path: string, ck: unknown, e: unknown): number {
    if (typeof ck !== 'string' || typeof e !== 'string') throw new ApiError('imageWrongCk');
    const given = Buffer.from(ck);
    const expected = Buffer.from(this.mac(path, e));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ApiError('imageWrongCk');
    }
    const left = Number(e) - Math.floor(Date.now() / 1000);
    if (left <= 0) throw new ApiError('imageCkExpired');
    return left;
  }
}
