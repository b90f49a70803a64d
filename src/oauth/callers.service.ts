import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CallerDirectory, type Caller, type CallingApplication } from '../api/access/access';
import { ApiError } from '../api/errors/errors';
import { Settings } from '../config/settings';
import { Notifications } from '../database/notifications';
import { OauthRepository, type StoredToken } from './oauth.repository';
import { hashSecret, mayBeClientId } from './tokens';

const CACHED = 10_000;

/** Where triggers tell of changes: a token's hash in hex, or nothing when it may be anyone. */
const CHANNEL = 'callers_changed';

/** A header that holds one bearer token, as passport reads it (RFC 6750, section 2.1). */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

interface Remembered {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/**
 * Who tokens and keys stand for, remembered for `TOKEN_CACHE_SECONDS`. What is revoked or blocked
 * is forgotten at once, whichever process does it; one that cannot be told follows when its memory
 * ends.
 */
@Injectable()
export class CallersService extends CallerDirectory {
  private readonly byHash: LRUCache<string, Remembered> | undefined;
  private readonly applications: LRUCache<string, CallingApplication> | undefined;
  /** How often anything was forgotten. */
  private forgotten = 0;

  constructor(
    private readonly oauth: OauthRepository,
    notifications: Notifications,
    settings: Settings,
  ) {
    super();
    const ttl = settings.TOKEN_CACHE_SECONDS * 1000;
    if (ttl === 0) return;
    this.byHash = new LRUCache({ max: CACHED, ttl });
    this.applications = new LRUCache({ max: CACHED, ttl });
    notifications.on(CHANNEL, (digest) => {
      this.forget(digest);
    });
  }

  override remembered(authorization: string): Caller | undefined {
    if (!this.byHash) return undefined;
    const token = tokenIn(authorization);
    const known = token === undefined ? undefined : this.byHash.get(keyOf(token));
    return known && known.expiresAt > Date.now() ? known.caller : undefined;
  }

  override async byAuthorization(authorization: string): Promise<Caller> {
    const token = tokenIn(authorization);
    if (token === undefined) throw new ApiError('invalidAccessToken');
    return this.remembered(authorization) ?? this.byToken(token);
  }

  /**
   * The caller behind a token.
   *
   * @throws ApiError 103 unknown or revoked, 123 revoked by a change of the password (D50), 106
   * expired, 122 user blocked (D13), 105 application blocked (D15)
   */
  async byToken(token: string): Promise<Caller> {
    const { forgotten } = this;
    const known = await this.oauth.token(hashSecret(token));
    const caller = this.check(known);
    // What was looked up before a revocation must not be remembered after it.
    if (forgotten === this.forgotten)
      this.byHash?.set(keyOf(token), { caller, expiresAt: known?.expiresAt ?? 0 });
    return caller;
  }

  private check(known: StoredToken | undefined): Caller {
    if (known?.passwordChanged) {
      throw new ApiError('accessTokenExpiredByPassword', {
        detail: 'the password was changed since the token was issued',
      });
    }
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
    if (!mayBeClientId(apikey)) throw new ApiError('invalidApikey');
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

  /**
   * Forgets every token and key, or the one token with this SHA-256 in hex, after a change that
   * must hold at once.
   */
  forget(digest?: string): void {
    this.forgotten += 1;
    if (digest !== undefined) {
      this.byHash?.delete(digest);
      return;
    }
    this.byHash?.clear();
    this.applications?.clear();
  }
}

const tokenIn = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1];

/**
 * What a token is remembered by: what the database knows it by, too. Tokens are not kept in memory
 * as they are: a heap dump would give them away.
 */
const keyOf = (token: string): string => hash('sha256', token, 'hex');
