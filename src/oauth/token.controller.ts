import { Controller, Get, Header, Post, Req } from '@nestjs/common';
import { SCOPES } from '../api/access/access';
import { type ApiRequest } from '../api/http/request-context';
import {
  OauthErrors,
  Public,
  RespondsJson,
  RequireHttps,
  OperationId,
  Summary,
} from '../api/routing/route';
import { Settings } from '../config/settings';
import { requireCredentials } from './client-authentication';
import { type TokenReply } from './grant.model';
import { bodyParameters } from './parameters';
import { GRANT_TYPES, TokenService, type Introspection } from './token.service';

const text = { type: 'string' };
const seconds = { type: 'integer' };

const TOKEN_SCHEMA = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  properties: {
    access_token: text,
    token_type: { const: 'Bearer' },
    expires_in: seconds,
    refresh_token: text,
    scope: text,
    user_id: text,
    user_name: text,
  },
};

const INTROSPECTION_SCHEMA = {
  type: 'object',
  required: ['active'],
  properties: {
    active: { type: 'boolean' },
    scope: text,
    client_id: text,
    token_type: text,
    exp: seconds,
    iat: seconds,
    sub: text,
    username: text,
    iss: text,
  },
};

/** Token, revocation, introspection and metadata endpoints (D18). */
@Controller()
export class TokenController {
  constructor(
    private readonly tokens: TokenService,
    private readonly settings: Settings,
  ) {}

  @Post('service/auth2/token')
  @Public()
  @RequireHttps()
  @OauthErrors()
  @Header('Pragma', 'no-cache')
  @RespondsJson(TOKEN_SCHEMA)
  @OperationId('createToken')
  @Summary('Tokens for a code, for a refresh token, or for the application itself')
  async token(@Req() request: ApiRequest): Promise<TokenReply> {
    const parameters = bodyParameters(request);
    const client = await this.tokens.authenticate(request, parameters);
    return this.tokens.exchange(client, parameters);
  }

  @Post('service/auth2/revoke')
  @Public()
  @RequireHttps()
  @OauthErrors()
  @RespondsJson({ type: 'object' })
  @OperationId('revokeToken')
  @Summary('Revoke an access token, or a refresh token with all that came of it (RFC 7009)')
  async revoke(@Req() request: ApiRequest): Promise<object> {
    const parameters = bodyParameters(request);
    const client = await this.tokens.authenticate(request, parameters);
    await this.tokens.revoke(client, parameters);
    return {};
  }

  @Post('service/auth2/introspect')
  @Public()
  @RequireHttps()
  @OauthErrors()
  @RespondsJson(INTROSPECTION_SCHEMA)
  @OperationId('introspectToken')
  @Summary('What one of the application’s own tokens is (RFC 7662)')
  async introspect(@Req() request: ApiRequest): Promise<Introspection> {
    const parameters = bodyParameters(request);
    requireCredentials(request, parameters);
    const client = await this.tokens.authenticate(request, parameters);
    return this.tokens.introspect(client, parameters);
  }

  @Get('.well-known/oauth-authorization-server')
  @Public()
  @RespondsJson({ type: 'object' })
  @OperationId('getAuthorizationServerMetadata')
  @Summary('What this authorization server can do (RFC 8414)')
  metadata(): object {
    const { baseUrl } = this.settings;
    const endpoint = `${baseUrl}/service/auth2`;
    const methods = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer: baseUrl,
      authorization_endpoint: `${endpoint}/auth`,
      token_endpoint: `${endpoint}/token`,
      revocation_endpoint: `${endpoint}/revoke`,
      introspection_endpoint: `${endpoint}/introspect`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: GRANT_TYPES,
      token_endpoint_auth_methods_supported: [...methods, 'none'],
      revocation_endpoint_auth_methods_supported: [...methods, 'none'],
      introspection_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${baseUrl}/docs`,
      ui_locales_supported: ['zh', 'en'],
    };
  }
}
