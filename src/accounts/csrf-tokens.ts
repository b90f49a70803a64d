import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { sharedSecret, signaturesMatch } from '../database/secrets';

/** Name of the shared secret that signs the tokens. */
const SECRET = 'csrf';

/**
 * CSRF tokens of forms: an HMAC of the session cookie, which other sites cannot read and which
 * changes at sign-in. Nothing is stored, and all processes accept the same tokens.
 */
@Injectable()
export class CsrfTokens implements OnModuleInit {
  private secret: string | undefined;

  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    // The OpenAPI document is generated without a database.
    if (!this.database.source.isInitialized) return;
    this.secret = await sharedSecret(this.database, SECRET);
  }

  /** The token of a session, given the value of its cookie. */
  create(cookie: string): string {
    if (this.secret === undefined) throw new Error('a CSRF token is requested before the start');
    return createHmac('sha256', this.secret).update(cookie).digest('base64url');
  }

  /** Whether a form's token is that of the session; the comparison takes constant time. */
  verify(cookie: string, token: string): boolean {
    return signaturesMatch(token, this.create(cookie));
  }
}
