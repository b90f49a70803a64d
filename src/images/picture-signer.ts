import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '../api/errors/error-codes';
import { type PathSigner, type PictureUseKey } from '../api/resources/resource';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { sharedSecret, signaturesMatch } from '../database/secrets';
import { privatePathOf } from './picture-names';

/** Name of the secret in the database. */
const SECRET = 'pictures';

/**
 * Expiry times are multiples of this fraction of the lifetime, so that URLs stay the same in
 * between.
 */
const STEPS = 4;

/**
 * Signs and verifies the URLs of private pictures: `ck` is the HMAC-SHA-256 of path and expiry, `e`
 * is the expiry in seconds.
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
    // The OpenAPI document is generated without a database.
    if (!this.database.source.isInitialized) return;
    this.secret ??= await sharedSecret(this.database, SECRET);
  }

  private mac(path: string, expires: string): string {
    if (this.secret === undefined) throw new Error('a picture was signed before startup');
    return createHmac('sha256', this.secret).update(`${path}\n${expires}`).digest('base64url');
  }

  /**
   * Signs the path of a private use. The signature is valid for between three quarters of
   * `PICTURES_SIGNED_SECONDS` and all of it. Paths that are not of uploaded pictures stay
   * unchanged.
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
   * Verifies the signature of a path.
   * @returns remaining seconds of validity
   * @throws ApiError 1010 for a missing or invalid signature, 1011 for an expired one
   */
  check(path: string, ck: unknown, e: unknown): number {
    if (typeof ck !== 'string' || typeof e !== 'string') throw new ApiError('imageWrongCk');
    if (!signaturesMatch(ck, this.mac(path, e))) throw new ApiError('imageWrongCk');
    const left = Number(e) - Math.floor(Date.now() / 1000);
    if (left <= 0) throw new ApiError('imageCkExpired');
    return left;
  }
}
