import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CallerDirectory, type Caller, type CallingApplication } from '../api/access';
import { ApiError } from '../api/errors';
import { Settings } from '../config/settings';
import { OauthRepository, type KnownToken } from './oauth.repository';
import { hashSecret } from './tokens';

const CACHED = 10_000;

interface Remembered {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/**
 * Who tokens and keys stand for, remembered for `TOKEN_CACHE_SECONDS`. What is revoked in this
 * process is forgotten at once; other processes follow when their memory ends.
 */
@Injectable()
export class CallersService extends CallerDirectory {
  private readonly byHeader: LRUCache<string, Remembered> | undefined;
  private readonly applications: LRUCache<string, CallingApplication> | undefined;
  /** How often everything was forgotten. */
  private forgotten = 0;

  constructor(
    private readonly oauth: OauthRepository,
    settings: Settings,
  ) {
    super();
    const ttl = settings.TOKEN_CACHE_SECONDS * 1000;
    if (ttl === 0) return;
    this.byHeader = new LRUCache({ max: CACHED, ttl });
    this.applications = new LRUCache({ max: CACHED, ttl });
  }

  override remembered(authorization: string): Caller | undefined {
    const known = this.byHeader?.get(this.keyOf(authorization));
    return known && known.expiresAt > Date.now() ? known.caller : undefined;
  }

  /**
   * The caller behind a token.
   *
   * @throws ApiError 103 unknown or revoked, 106 expired, 122 user blocked (D13), 105 application
   * blocked (D15)
   */
  async byToken(token: string, authorization: string): Promise<Caller> {
    const { forgotten } = this;
    const known = await this.oauth.token(hashSecret(token));
    const caller = this.check(known);
    // What was looked up before a revocation must not be remembered after it.
    if (forgotten === this.forgotten)
      this.byHeader?.set(this.keyOf(authorization), { caller, expiresAt: known?.expiresAt ?? 0 });
    return caller;
  }

  private check(known: KnownToken | undefined): Caller {
    if (!known || known.revoked) {
      throw new ApiError('invalidAccessToken', { detail: 'the token is unknown or revoked' });
    }
    if (known.expiresAt <= Date.now()) throw new ApiError('accessTokenExpired');
    if (known.userBlocked) throw new ApiError('userBlocked');
    if (known.application.blocked) throw new ApiError('apikeyBlocked');
    const { application, user, scopes } = known;
    return { hasToken: true, application, user, scopes };
  }

  override async byApikey(apikey: string): Promise<CallingApplication> {
    // What cannot be a key need not be looked up, nor can the database hold all of it.
    if (!/^[\x21-\x7e]{1,128}$/.test(apikey)) throw new ApiError('invalidApikey');
    let application = this.applications?.get(apikey);
    if (!application) {
      const { forgotten } = this;
      application = await this.oauth.application(apikey);
      if (!application) throw new ApiError('invalidApikey', { detail: 'no such apikey' });
      if (forgotten === this.forgotten) this.applications?.set(apikey, application);
    }
    if (application.blocked) throw new ApiError('apikeyBlocked');
    return application;
  }

  /** Forgets every token and key, after a change that must hold at once. */
  forget(): void {
    this.forgotten += 1;
    this.byHeader?.clear();
    this.applications?.clear();
  }

  /** Tokens are not kept in memory as they are: a heap dump would give them away. */
  private keyOf(authorization: string): string {
    return hash('sha256', authorization, 'base64');
  }
}
