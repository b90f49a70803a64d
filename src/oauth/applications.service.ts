import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DEFAULT_SCOPES, LEVELS, SCOPES, type Level, type Scope } from '../api/access';
import { AccessToken } from './access-token.entity';
import { Application } from './application.entity';
import { CallersService } from './callers.service';
import { OauthRepository } from './oauth.repository';
import { hashToken, makeClientId, makeToken } from './tokens';

export interface NewApplication {
  readonly name: string;
  readonly level?: Level;
  readonly scopes?: readonly string[];
}

export interface NewToken {
  readonly clientId: string;
  readonly userId?: number;
  readonly scopes: readonly string[];
  /** Seconds until it expires. */
  readonly ttl: number;
}

function checkScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new Error(`no such scope: ${unknown.join(', ')}; there are ${SCOPES.join(', ')}`);
  }
  return [...new Set(scopes)] as Scope[];
}

/** Applications and their tokens, for administrators. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly source: DataSource,
    private readonly oauth: OauthRepository,
    private readonly callers: CallersService,
  ) {}

  /** Makes an application. @throws Error for a scope or a level that does not exist */
  create({ name, level = 'L1', scopes = DEFAULT_SCOPES }: NewApplication): Promise<Application> {
    if (!LEVELS.includes(level)) {
      throw new Error(`no such level: ${String(level)}; there are ${LEVELS.join(', ')}`);
    }
    const application = { clientId: makeClientId(), name, level, scopes: checkScopes(scopes) };
    return this.source.getRepository(Application).save(application);
  }

  /**
   * Issues an access token; only its hash is kept.
   *
   * @throws Error for an unknown application, or a scope that it is not approved for
   */
  async issue({ clientId, userId, scopes, ttl }: NewToken): Promise<string> {
    const application = await this.oauth.application(clientId);
    if (!application) throw new Error(`no such application: ${clientId}`);
    const wanted = checkScopes(scopes);
    const refused = wanted.filter((scope) => !application.scopes.has(scope));
    if (refused.length > 0) {
      throw new Error(`the application is not approved for ${refused.join(', ')}`);
    }
    const token = makeToken();
    await this.source.getRepository(AccessToken).insert({
      hash: hashToken(token),
      applicationId: String(application.id),
      userId: userId === undefined ? null : String(userId),
      scopes: wanted,
      expiresAt: new Date(Date.now() + ttl * 1000),
    });
    return token;
  }

  /** Revokes a token; whether there was one to revoke. */
  async revoke(token: string): Promise<boolean> {
    const revoked = await this.oauth.revoke(hashToken(token));
    this.callers.forget();
    return revoked;
  }
}
