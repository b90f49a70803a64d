import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CallerDirectory, type Caller, type CallingApplication } from '../api/access/access';
import { ApiError, unavailable } from '../api/errors/error-codes';
import { copyString } from '../api/http/copy-string';
import { currentRequest } from '../api/http/current-request';
import { Settings } from '../config/settings';
import { Notifications } from '../database/notifications';
import { OauthRepository, type StoredToken } from './oauth.repository';
import { blockedDetail } from './refusal';
import { hashSecret, mayBeClientId } from './tokens';

const CACHED = 10_000;

/** Channel of change triggers; the payload is a token's hash in hex, or empty for any token. */
const CHANNEL = 'callers_changed';

/** A header with one bearer token, as passport parses it (RFC 6750, section 2.1). */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

interface Remembered {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/** The error of a blocked application, with its reason and contact (D120). */
const blocked = (application: CallingApplication): ApiError =>
  new ApiError('apikeyBlocked', { detail: blockedDetail(application), client: application.id });

/**
 * Finds the callers of tokens and apikeys, cached for `TOKEN_CACHE_SECONDS`. Every process removes
 * revoked and blocked ones at once; without notifications, entries expire.
 */
@Injectable()
export class CallersService extends CallerDirectory {
  private readonly byHash: LRUCache<string, Remembered> | undefined;
  private readonly applications: LRUCache<string, CallingApplication> | undefined;
  /** Number of invalidations so far. */
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
    const cached = token === undefined ? undefined : this.byHash.get(keyOf(token));
    return cached && cached.expiresAt > Date.now() ? cached.caller : undefined;
  }

  override async byAuthorization(authorization: string): Promise<Caller> {
    const token = tokenIn(authorization);
    if (token === undefined) throw new ApiError('invalidAccessToken');
    return this.remembered(authorization) ?? this.byToken(token);
  }

  /**
   * The caller behind a token.
   *
   * @throws ApiError 103 not found or revoked, 123 revoked by a change of the password (D50), 106
   * expired, 122 user blocked (D13), 105 application blocked (D15)
   */
  async byToken(token: string): Promise<Caller> {
    const { forgotten } = this;
    const stored = await this.oauth.token(hashSecret(token));
    if (!stored) rejectIfOutdated();
    const caller = this.check(stored);
    if (this.mayCache(forgotten))
      this.byHash?.set(keyOf(token), { caller, expiresAt: stored?.expiresAt ?? 0 });
    return caller;
  }

  /**
   * Whether a result may be cached. One from before an invalidation must not be cached after it. One
   * of a replica may be older than an invalidation.
   * @param forgotten number of invalidations before it was read
   */
  private mayCache(forgotten: number): boolean {
    return forgotten === this.forgotten && currentRequest()?.callerIsFromReplica !== true;
  }

  private check(stored: StoredToken | undefined): Caller {
    const client = stored?.application.id;
    if (stored?.passwordChanged) {
      throw new ApiError('accessTokenExpiredByPassword', {
        client,
        detail: 'the user changed the password after the token was issued',
      });
    }
    if (!stored || stored.revoked) {
      throw new ApiError('invalidAccessToken', {
        detail: 'the token is unknown or revoked',
        client,
      });
    }
    if (stored.expiresAt <= Date.now()) throw new ApiError('accessTokenExpired', { client });
    if (stored.userBlocked) throw new ApiError('userBlocked', { client });
    if (stored.application.blocked) throw blocked(stored.application);
    const { application, user, scopes } = stored;
    return { hasToken: true, application, user, scopes };
  }

  override async byApikey(apikey: string): Promise<CallingApplication> {
    if (!mayBeClientId(apikey)) throw new ApiError('invalidApikey');
    let application = this.applications?.get(apikey);
    if (!application) {
      const { forgotten } = this;
      application = await this.oauth.application(apikey);
      if (!application) {
        rejectIfOutdated();
        throw new ApiError('invalidApikey', { detail: 'apikey not found' });
      }
      if (this.mayCache(forgotten)) this.applications?.set(copyString(apikey), application);
    }
    if (application.blocked) throw blocked(application);
    return application;
  }

  /**
   * Invalidates all tokens and keys, or the token with this SHA-256 in hex, after a change that
   * must apply at once.
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

/**
 * A replica may lack a token or key that was issued just before the primary was lost. Clients would
 * discard it after 401.
 * @throws ApiError 999 with 503 if the caller was looked up on a replica
 */
function rejectIfOutdated(): void {
  if (currentRequest()?.callerIsFromReplica === true)
    throw unavailable(undefined, { detail: 'no primary server of the database responds' });
}

const tokenIn = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1];

/**
 * Cache key of a token: its hash, as in the database. Tokens are not stored in memory, because a
 * heap dump would disclose them.
 */
const keyOf = (token: string): string => hash('sha256', token, 'hex');
