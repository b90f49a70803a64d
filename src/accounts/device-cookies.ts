import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { Database } from '../database/database';
import { sharedSecret, signaturesMatch } from '../database/secrets';
import { readCookie, setCookie, type PageCookie } from '../web/cookies';

/** Name of the shared secret that signs the entries. */
const SECRET = 'devices';

/** Seconds for which a browser is trusted after its last sign-in: a year. */
const LIFETIME = 365 * 24 * 3600;

/** Maximum number of users per browser; a family may share a computer. */
const MAX_USERS = 4;

const COOKIE: PageCookie = {
  name: 'commonplace_device',
  path: '/service',
  sameSite: 'strict',
  lifetime: LIFETIME,
};

/** An entry: nonce, expiry in seconds since 1970, and a signature of both and the uid. */
const ENTRY = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Cookies of browsers in which a user has signed in before (OWASP's "device cookie" protocol). They
 * only select a counter: the server counts wrong passwords of such a browser separately, so that
 * other clients cannot lock its user out. A cookie contains signatures of uids, not the uids.
 */
@Injectable()
export class DeviceCookies {
  private secret: Promise<string> | undefined;

  constructor(private readonly database: Database) {}

  /** The key of the browser's own counter; undefined when the user has not signed in with it. */
  async find(request: ApiRequest, uid: string): Promise<string | undefined> {
    for (const entry of this.entriesOf(request)) {
      const [nonce] = entry.split('.');
      if (await this.isOf(entry, uid)) return nonce;
    }
    return undefined;
  }

  /** Adds the user to the browser's cookie, with a new counter. */
  async remember(request: ApiRequest, response: Response, uid: string): Promise<void> {
    const others: string[] = [];
    for (const entry of this.entriesOf(request)) {
      if (!(await this.isOf(entry, uid))) others.push(entry);
    }
    const nonce = randomBytes(16).toString('base64url');
    const expires = String(Math.floor(Date.now() / 1000) + LIFETIME);
    const mac = await this.mac(uid, nonce, expires);
    const entries = [[nonce, expires, mac].join('.'), ...others].slice(0, MAX_USERS);
    setCookie(request, response, COOKIE, entries.join('!'));
  }

  private entriesOf(request: ApiRequest): string[] {
    const entries = readCookie(request, COOKIE).split('!');
    return entries.filter((entry) => ENTRY.test(entry)).slice(0, MAX_USERS);
  }

  private async isOf(entry: string, uid: string): Promise<boolean> {
    const [nonce = '', expires = '', mac = ''] = entry.split('.');
    if (Number(expires) * 1000 <= Date.now()) return false;
    return signaturesMatch(mac, await this.mac(uid, nonce, expires));
  }

  private async mac(uid: string, nonce: string, expires: string): Promise<string> {
    // After a failure the next sign-in tries again.
    this.secret ??= sharedSecret(this.database, SECRET).catch((error: unknown) => {
      this.secret = undefined;
      throw error;
    });
    const text = ['device', uid, nonce, expires].join('\n');
    return createHmac('sha256', await this.secret)
      .update(text)
      .digest('base64url');
  }
}
