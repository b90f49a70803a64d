import OAuth2Server from '@node-oauth/oauth2-server';
import { SCOPES, type Scope } from '../api/access/access';
import { type ErrorName } from '../api/errors/error-codes';
import { type SqlExecutor } from '../database/database';
import { type Client } from './clients.repository';
import { grants, type OfGrant, type StoredCode } from './grants.repository';
import { LIFETIMES } from './lifetimes';
import { splitScopes, type Parameters } from './parameters';
import { hashSecret, makeSecret } from './tokens';

/** Scopes of an application's own tokens: read access to data that is not personal (D18). */
const READ_SCOPES: readonly Scope[] = SCOPES.filter((scope) =>
  /^(book|event|movie)_.*_r$/.test(scope),
);

/** A rejected grant with a specific error number (D18). */
export class GrantRefusal extends OAuth2Server.InvalidGrantError {
  constructor(
    readonly error: ErrorName,
    message: string,
  ) {
    super(message);
  }
}

/** The subject of a token: a user, or the application itself without a user. */
interface TokenSubject {
  readonly grantId?: number;
  readonly userId?: number;
  readonly userName?: string;
  /** All scopes of the grant; a refreshed token may request fewer. */
  readonly granted?: readonly string[];
}

const holderOf = (row: OfGrant): TokenSubject => ({
  grantId: row.grant_id,
  userId: row.user_id,
  userName: row.user_name,
  granted: row.scopes,
});

/** Response of the token endpoint (RFC 6749, section 5.1, and D18). */
export interface TokenReply {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
  readonly user_id?: string;
  readonly user_name?: string;
}

/**
 * The storage model of the OAuth library for one request, on one transaction. The client is already
 * authenticated.
 */
export class GrantModel
  implements
    OAuth2Server.AuthorizationCodeModel,
    OAuth2Server.RefreshTokenModel,
    OAuth2Server.ClientCredentialsModel
{
  /** The issued tokens, once stored. */
  reply: TokenReply | undefined;

  /** Whether a grant was revoked, because its code or refresh token was used twice. */
  revoked = false;

  constructor(
    private readonly executor: SqlExecutor,
    private readonly client: Client,
    private readonly parameters: Parameters,
  ) {}

  getClient(): Promise<OAuth2Server.Client> {
    const { access, refresh } = LIFETIMES[this.client.level];
    const own = this.client.isPublic ? [] : ['client_credentials'];
    return Promise.resolve({
      id: String(this.client.id),
      grants: ['authorization_code', 'refresh_token', ...own],
      accessTokenLifetime: access,
      refreshTokenLifetime: refresh,
    });
  }

  generateAccessToken(): Promise<string> {
    return Promise.resolve(makeSecret('accessToken'));
  }

  generateRefreshToken(): Promise<string> {
    return Promise.resolve(makeSecret('refreshToken'));
  }

  async getAuthorizationCode(code: string): Promise<OAuth2Server.AuthorizationCode | false> {
    const row = await grants.code(this.executor, hashSecret(code));
    if (!row) return false;
    // The library rejects the code of another client; the code stays unused for its owner.
    if (row.application_id === this.client.id) await this.checkGrant(row);
    return {
      authorizationCode: code,
      expiresAt: row.expires_at,
      // Compared below, because the library reports a mismatch as an invalid request.
      redirectUri: '',
      scope: row.scopes,
      // The library verifies PKCE: it compares the code verifier with the challenge.
      codeChallenge: row.code_challenge ?? undefined,
      codeChallengeMethod: 'S256',
      client: { id: String(row.application_id), grants: [] },
      user: holderOf(row),
      stored: row,
    };
  }

  /**
   * Single use (RFC 6749, section 4.1.2): a second use revokes the grant. A code also counts as
   * used when the rest of the request is invalid, to prevent guessing.
   */
  async revokeAuthorizationCode(code: OAuth2Server.AuthorizationCode): Promise<boolean> {
    const { stored } = code as unknown as { stored: StoredCode };
    if (!(await grants.useCode(this.executor, hashSecret(code.authorizationCode)))) {
      await this.revokeGrant(stored.grant_id);
      return false;
    }
    const { redirect_uri: redirectUri } = this.parameters;
    if (stored.redirect_uri !== null && stored.redirect_uri !== redirectUri) {
      const why = 'redirect_uri differs from that of the authorization request';
      throw new GrantRefusal('redirectUriMismatch', why);
    }
    return true;
  }

  async getRefreshToken(token: string): Promise<OAuth2Server.RefreshToken | false> {
    const row = await grants.refreshToken(this.executor, hashSecret(token));
    if (!row) return false;
    if (row.application_id === this.client.id) {
      await this.checkGrant(row);
      this.checkScopes(row.scopes);
    }
    return {
      refreshToken: token,
      refreshTokenExpiresAt: row.expires_at,
      scope: row.scopes,
      client: { id: String(row.application_id), grants: [] },
      user: holderOf(row),
    };
  }

  /**
   * Refresh token rotation: a refresh token is used once. Its reuse indicates a leak and revokes the
   * grant (RFC 9700, 4.14.2).
   */
  async revokeToken(token: OAuth2Server.RefreshToken): Promise<boolean> {
    if (await grants.useRefreshToken(this.executor, hashSecret(token.refreshToken))) return true;
    await this.revokeGrant(Number((token.user as TokenSubject).grantId));
    return false;
  }

  private async revokeGrant(grantId: number): Promise<void> {
    if (await grants.revoke(this.executor, grantId)) this.revoked = true;
  }

  private async checkGrant(row: OfGrant): Promise<void> {
    if (row.used) {
      await this.revokeGrant(row.grant_id);
      throw new OAuth2Server.InvalidGrantError('it was already used, so its grant is revoked');
    }
    if (row.revoked) throw new OAuth2Server.InvalidGrantError('its grant is revoked');
    if (row.user_blocked) throw new GrantRefusal('userBlocked', 'the user is blocked');
  }

  /** Runs before the refresh token is used, so that a client may retry with fewer scopes. */
  private checkScopes(granted: readonly string[]): void {
    const requestedScopes = splitScopes(this.parameters.scope);
    if (requestedScopes.some((scope) => !granted.includes(scope))) {
      throw new OAuth2Server.InvalidScopeError('the user has not granted all of the scopes');
    }
    const wanted = requestedScopes.length > 0 ? requestedScopes : granted;
    if (!wanted.some((scope) => this.client.scopes.has(scope))) throw noneApproved();
  }

  getUserFromClient(): Promise<OAuth2Server.User> {
    return Promise.resolve({});
  }

  /** Scopes of a token: those of the grant, or those allowed for the application itself. */
  validateScope(
    user: OAuth2Server.User,
    _client: OAuth2Server.Client,
    wanted?: string[],
  ): Promise<string[] | false> {
    const approved = (scope: string): boolean => this.client.scopes.has(scope);
    if ((user as TokenSubject).grantId !== undefined) {
      return Promise.resolve(someOrNone((wanted ?? []).filter(approved)));
    }
    const own = READ_SCOPES.filter(approved) as readonly string[];
    if (!wanted) return Promise.resolve(someOrNone(own));
    return Promise.resolve(wanted.every((scope) => own.includes(scope)) && wanted);
  }

  async saveToken(
    token: OAuth2Server.Token,
    client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.Token> {
    const { grantId, userId, userName, granted } = user as TokenSubject;
    // The application may have lost approvals since the grant was made (D15).
    const scopes = (token.scope ?? []).filter((scope) => this.client.scopes.has(scope));
    if (scopes.length === 0) throw noneApproved();
    const lifetime = LIFETIMES[this.client.level];
    await grants.addAccessToken(this.executor, [
      hashSecret(token.accessToken),
      this.client.id,
      userId ?? null,
      scopes,
      token.accessTokenExpiresAt,
      grantId ?? null,
    ]);
    const { refreshToken } = token;
    if (refreshToken !== undefined && grantId !== undefined) {
      // It keeps all scopes of the grant, even if this request has fewer (RFC 6749, section 6).
      const values = [hashSecret(refreshToken), grantId, granted, token.refreshTokenExpiresAt];
      await grants.addRefreshToken(this.executor, values);
    }
    this.reply = {
      access_token: token.accessToken,
      token_type: 'Bearer',
      expires_in: lifetime.access,
      ...(refreshToken === undefined || grantId === undefined
        ? {}
        : { refresh_token: refreshToken }),
      scope: scopes.join(' '),
      ...(userId === undefined ? {} : { user_id: String(userId), user_name: userName }),
    };
    return { ...token, client, user };
  }

  /** Unused: the bearer strategy checks access tokens. */
  getAccessToken(): Promise<false> {
    return Promise.resolve(false);
  }

  /** Unused: the authorization endpoint creates codes. */
  saveAuthorizationCode(): Promise<false> {
    return Promise.resolve(false);
  }
}

const noneApproved = (): Error =>
  new OAuth2Server.InvalidScopeError('the application is approved for none of the scopes');

const someOrNone = (scopes: readonly string[]): string[] | false =>
  scopes.length > 0 && [...scopes];
