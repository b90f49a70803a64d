import OAuth2Server from '@node-oauth/oauth2-server';
import { Injectable } from '@nestjs/common';
import { ADMIN_SCOPE } from '../api/access/access';
import { type ErrorName } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { Settings } from '../config/settings';
import { Database, type SqlExecutor } from '../database/database';
import { holdApplication } from './application-locks';
import { Attempts, type AttemptKey } from './attempts';
import { CallersService } from './callers.service';
import { isSecretOf, notAuthenticated, readCredentials } from './client-authentication';
import { ClientsRepository, type Client } from './clients.repository';
import { GrantModel, GrantRefusal, type TokenReply } from './grant.model';
import { grants } from './grants.repository';
import { OauthRepository } from './oauth.repository';
import { required, splitScopes, type Parameters } from './parameters';
import { blockedClient, refusal, type OauthError } from './refusal';
import { hashSecret } from './tokens';

/** An introspection response (RFC 7662, section 2.2). */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly token_type?: 'Bearer';
      /** Seconds since 1970. */
      readonly exp: number;
      readonly iat: number;
      readonly sub?: string;
      readonly username?: string;
      readonly iss: string;
    };

/** The service's error for each error of the library (D18). */
const ERROR_OF_OAUTH_ERROR: Readonly<Record<string, ErrorName>> = {
  invalid_request: 'requiredParameterMissing',
  invalid_client: 'clientSecretMismatch',
  unauthorized_client: 'unsupportedGrantType',
  unsupported_grant_type: 'unsupportedGrantType',
  invalid_scope: 'invalidRequestScope',
};

/** Supported grant types; there is no password grant (D18; RFC 9700, section 2.4). */
export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'];

/** The client of a request. */
export interface AuthenticatedClient extends Client {
  /** Whether its credentials are from the `Authorization` header. */
  readonly basic: boolean;
}

const unknownClient = (basic: boolean): Error =>
  notAuthenticated(basic, 'the client is unknown or its secret is wrong');

type Exchange =
  | { readonly reply: TokenReply }
  /** `revoked` is true when the error revoked a grant: cached callers must be removed. */
  | { readonly refused: OAuth2Server.OAuthError; readonly revoked: boolean };

/** The token, revocation and introspection endpoints (D18). */
@Injectable()
export class TokenService {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientsRepository,
    private readonly oauth: OauthRepository,
    private readonly callers: CallersService,
    private readonly attempts: Attempts,
    private readonly settings: Settings,
  ) {}

  /**
   * Authenticates the client of a request.
   *
   * @throws ApiError 113 (invalid_request), 116 (invalid_client), 105 (unauthorized_client,
   * blocked), 111 with 429 after too many wrong secrets
   */
  async authenticate(request: ApiRequest, parameters: Parameters): Promise<AuthenticatedClient> {
    const { clientId, secret, basic } = readCredentials(request, parameters);
    const client = await this.clients.client(clientId);
    if (client) request.context.client = client.id;
    if (client && secret === undefined && !client.isPublic) {
      throw notAuthenticated(basic, 'client_secret is missing');
    }
    if (!client || (secret !== undefined && !isSecretOf(client, secret))) {
      // Only wrong secrets: an address that guesses must not lock other clients behind it out.
      await this.attempts.consume(['client', request.context.addressKey]);
      throw unknownClient(basic);
    }
    if (client.blocked) throw blockedClient(client);
    // Anybody can send the id of a public client.
    if (secret !== undefined) request.context.authenticatedClient = client.id;
    return { ...client, basic };
  }

  /**
   * Issues tokens for a code, for a refresh token, or for the application itself (D18).
   *
   * @throws ApiError 113 to 119, 122, 125; 116 when the client was deleted meanwhile; 111 with 429
   *   after too many tokens in an hour (D118)
   */
  async exchange(client: AuthenticatedClient, parameters: Parameters): Promise<TokenReply> {
    if (!GRANT_TYPES.includes(required(parameters, 'grant_type'))) {
      const why = `grant_type must be one of ${GRANT_TYPES.join(', ')}`;
      throw refusal('unsupportedGrantType', 'unsupported_grant_type', why);
    }
    const counted = await this.limitsOf(client, parameters);
    const result = await this.attempts.count(counted, () =>
      this.database.transaction((executor) => this.exchangeOn(executor, client, parameters)),
    );
    if ('reply' in result) return result.reply;
    if (result.revoked) this.callers.forget();
    throw toRefusal(result.refused, parameters);
  }

  /** Limits of tokens that a client can request any number of times without a user. */
  private async limitsOf(
    client: Client,
    { grant_type, refresh_token }: Parameters,
  ): Promise<AttemptKey[]> {
    if (grant_type === 'client_credentials') return [['ownTokens', client.clientId]];
    if (grant_type !== 'refresh_token' || refresh_token === undefined) return [];
    const row = await grants.refreshToken(this.database, hashSecret(refresh_token));
    if (!row || row.used || row.application_id !== client.id) return [];
    return [['refreshes', `${client.clientId} ${row.user_id}`]];
  }

  /** Returns errors, so that the transaction commits used codes and revoked grants. */
  private async exchangeOn(
    executor: SqlExecutor,
    client: AuthenticatedClient,
    parameters: Parameters,
  ): Promise<Exchange> {
    // Its developer may have deleted it since it was authenticated.
    if (!(await holdApplication(executor, client.id))) throw unknownClient(client.basic);
    const model = new GrantModel(executor, client, parameters);
    const { scope, ...others } = parameters;
    const body = { ...others, client_id: client.clientId, client_secret: 'authenticated' };
    const scopes = splitScopes(scope);
    const request = new OAuth2Server.Request({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
      query: {},
      body: scopes.length > 0 ? { ...body, scope: scopes.join(' ') } : body,
    });
    try {
      await new OAuth2Server({ model }).token(request, new OAuth2Server.Response());
    } catch (error) {
      if (!(error instanceof OAuth2Server.OAuthError)) throw error;
      // Internal errors, for example of the database, roll the transaction back.
      if (error.name === 'server_error') throw (error as { inner?: Error }).inner ?? error;
      return { refused: error, revoked: model.revoked };
    }
    if (!model.reply) throw new Error('a token was issued and not stored');
    return { reply: model.reply };
  }

  /** Revokes a token; does nothing when the client has no such token (RFC 7009, section 2.2). */
  async revoke(client: Client, parameters: Parameters): Promise<void> {
    const hash = hashSecret(required(parameters, 'token'));
    const refresh = await grants.refreshToken(this.database, hash);
    if (refresh) {
      if (refresh.application_id !== client.id || refresh.revoked) return;
      // Revoking a refresh token revokes its whole grant (RFC 7009, section 2.1).
      if (await grants.revoke(this.database, refresh.grant_id)) this.callers.forget();
      return;
    }
    const stored = await this.oauth.token(hash);
    if (stored?.application.id !== client.id || stored.revoked) return;
    if (await this.oauth.revoke(hash)) this.callers.forget(hash.toString('hex'));
  }

  /** Describes a token. Tokens of other applications are reported as inactive. */
  async introspect(client: Client, parameters: Parameters): Promise<Introspection> {
    const token = required(parameters, 'token');
    if (client.isPublic) {
      // A public client has no secret, so anyone could use its `client_id` to test tokens.
      throw notAuthenticated(true, 'public clients cannot introspect');
    }
    const hash = hashSecret(token);
    const iss = this.settings.baseUrl;
    // Scopes without a current approval do not work (D15), and `admin` only for administrators.
    const usable = (scopes: Iterable<string>, role?: string): string =>
      [...scopes]
        .filter((scope) => client.scopes.has(scope))
        .filter((scope) => scope !== ADMIN_SCOPE || role === 'administrator')
        .join(' ');
    const access = await this.oauth.token(hash);
    if (access) {
      const { application, user, scopes, expiresAt } = access;
      const dead = access.revoked || access.userBlocked || expiresAt <= Date.now();
      if (dead || application.id !== client.id) return { active: false };
      return {
        active: true,
        scope: usable(scopes, user?.role),
        client_id: application.clientId,
        token_type: 'Bearer',
        exp: Math.floor(expiresAt / 1000),
        iat: Math.floor(access.createdAt / 1000),
        ...(user ? { sub: String(user.id), username: user.uid } : {}),
        iss,
      };
    }
    const refresh = await grants.refreshToken(this.database, hash);
    const live = refresh && !refresh.used && !refresh.revoked && !refresh.user_blocked;
    if (!live || refresh.application_id !== client.id || refresh.expires_at <= new Date()) {
      return { active: false };
    }
    return {
      active: true,
      scope: usable(refresh.scopes, refresh.role),
      client_id: client.clientId,
      exp: Math.floor(refresh.expires_at.getTime() / 1000),
      iat: Math.floor(refresh.created_at.getTime() / 1000),
      sub: String(refresh.user_id),
      username: refresh.uid,
      iss,
    };
  }
}

function toRefusal(error: OAuth2Server.OAuthError, parameters: Parameters): Error {
  const description = error.message;
  if (error instanceof GrantRefusal) return refusal(error.error, 'invalid_grant', description);
  if (error.name === 'invalid_grant') {
    const refreshing = parameters.grant_type === 'refresh_token';
    const name = refreshing ? 'invalidRefreshToken' : 'invalidAuthorizationCode';
    return refusal(name, 'invalid_grant', description);
  }
  const number = ERROR_OF_OAUTH_ERROR[error.name] ?? 'requiredParameterMissing';
  return refusal(number, error.name as OauthError, description);
}
