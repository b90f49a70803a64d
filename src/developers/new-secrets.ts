import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type BrowserSession } from '../accounts/browser-sessions.service';
import { Database } from '../database/database';
import { sharedSecret } from '../database/secrets';
import {
  clearCookie,
  cookiesWithPrefix,
  readCookie,
  setCookie,
  type PageCookie,
} from '../web/cookies';
import { PATHS } from '../web/layout';

/** Seconds for which the browser that created a secret can see it. */
const SHOWN_SECONDS = 600;
/** Name of the shared secret that encrypts the cookies. */
const SECRET = 'new-client-secrets';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const PREFIX = 'commonplace_secret_';
/** Secrets that a browser keeps, because proxies and servers limit the size of header fields. */
const MAX_KEPT = 5;
/** Secret cookies that a response handles; only a forged request has more. */
const MAX_COOKIES = 50;

/** Each application has its own cookie, so that a second new secret does not replace the first. */
const cookieOf = (clientId: string): PageCookie => ({
  name: PREFIX + clientId,
  path: PATHS.developer,
  sameSite: 'strict',
  lifetime: SHOWN_SECONDS,
});

/**
 * New client secrets between a form and the page that shows them (Post/Redirect/Get, D138). The
 * secret is in a cookie of ten minutes, encrypted and bound to the session and the application. The
 * server stores nothing, all processes read the same cookies, and a reload shows the secret again.
 */
@Injectable()
export class NewSecrets implements OnModuleInit {
  private key: Buffer | undefined;

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    // The OpenAPI document is generated without a database.
    if (!this.database.source.isInitialized) return;
    this.key = Buffer.from(await sharedSecret(this.database, SECRET), 'hex');
  }

  /**
   * Lets the browser of a session see a new secret for ten minutes. It forgets the oldest of more
   * than {@link MAX_KEPT} secrets.
   */
  storeInCookie(session: BrowserSession, clientId: string, secret: string): void {
    const { request, response, cookie } = session;
    const others = this.clientIdsOf(session).filter((id) => id !== clientId);
    for (const id of others.slice(MAX_KEPT - 1, MAX_COOKIES)) this.clear(session, id);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.keyBytes, iv).setAAD(boundTo(clientId, cookie));
    const until = String(Date.now() + SHOWN_SECONDS * 1000);
    const text = Buffer.concat([cipher.update(`${until} ${secret}`), cipher.final()]);
    const value = Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    setCookie(request, response, cookieOf(clientId), value);
  }

  /** The new secret of an application that this browser may see; undefined for none. */
  read(session: BrowserSession, clientId: string): string | undefined {
    const stored = readCookie(session.request, cookieOf(clientId));
    const { until, secret } = this.decrypt(session, clientId, stored) ?? {};
    return until !== undefined && until > Date.now() ? secret : undefined;
  }

  /** The applications of the secrets in a request, newest first; invalid cookies come last. */
  private clientIdsOf(session: BrowserSession): string[] {
    const cookies = [...cookiesWithPrefix(session.request, PREFIX)];
    return cookies
      .map(([name, value]) => ({ id: name.slice(PREFIX.length), value }))
      .filter(({ id }) => /^\w+$/.test(id))
      .map(({ id, value }) => ({ id, until: this.decrypt(session, id, value)?.until ?? 0 }))
      .sort((one, other) => other.until - one.until)
      .map(({ id }) => id);
  }

  /** The secret in a cookie and the end of its time; undefined when this browser may not see it. */
  private decrypt(
    { cookie }: BrowserSession,
    clientId: string,
    cookieValue: string,
  ): { readonly until: number; readonly secret: string } | undefined {
    const value = Buffer.from(cookieValue, 'base64url');
    if (value.length <= IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.keyBytes, value.subarray(0, IV_BYTES))
      .setAAD(boundTo(clientId, cookie))
      .setAuthTag(value.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const rest = value.subarray(IV_BYTES + TAG_BYTES);
      const text = Buffer.concat([decipher.update(rest), decipher.final()]).toString();
      const [until, secret = ''] = text.split(' ');
      return { until: Number(until), secret };
    } catch {
      // Changed, or of another session or application.
      return undefined;
    }
  }

  /** Deletes the cookie, so that the secret is no longer shown. */
  clear({ request, response }: BrowserSession, clientId: string): void {
    clearCookie(request, response, cookieOf(clientId));
  }

  private get keyBytes(): Buffer {
    if (!this.key) throw new Error('a new secret is requested before the start');
    return this.key;
  }
}

const boundTo = (clientId: string, session: string): Buffer =>
  Buffer.from(`${clientId} ${session}`);
