import { Controller, Get, Header, Post, Req } from '@nestjs/common';
import { SCOPES } from '../api/access/access';
import { type ApiRequest } from '../api/http/request-context';
import {
  Errors,
  Extension,
  DocumentedBody,
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

const text = (description: string): object => ({ type: 'string', description });
const integer = (description: string): object => ({ type: 'integer', description });
const SCOPE_MEMBER = text('Scopes, separated by commas or spaces.');

const parameter = (about: string, required = false) => ({
  required,
  schema: { type: 'string' },
  about,
});
/** Client authentication, if not in the header `Authorization` (RFC 6749, section 2.3.1). */
const CREDENTIALS = {
  client_id: parameter('Client id; omitted with `Authorization: Basic`.'),
  client_secret: parameter('Client secret; omitted by public clients and with `Authorization`.'),
};
const TOKEN = { token: parameter('Access token or refresh token.', true) };

const TOKEN_BODY = {
  grant_type: {
    required: true,
    schema: { type: 'string', enum: GRANT_TYPES },
    about: 'How the token is requested.',
  },
  code: parameter('Authorization code; required for `authorization_code`.'),
  redirect_uri: parameter('Redirect URI of the authorization request.'),
  code_verifier: parameter('PKCE code verifier: 43 to 128 characters (RFC 7636).'),
  refresh_token: parameter('Refresh token; required for `refresh_token`.'),
  scope: parameter('Scopes, separated by commas or spaces; all granted ones when absent.'),
  ...CREDENTIALS,
};

/** Errors of client authentication (D18, D118). */
const CLIENT_ERRORS = [
  'requiredParameterMissing',
  'clientSecretMismatch',
  'rateLimitExceeded1',
  { error: 'apikeyBlocked', status: 400 },
] as const;
const TOKEN_ERRORS = [
  'unsupportedGrantType',
  'redirectUriMismatch',
  'invalidAuthorizationCode',
  'invalidRefreshToken',
  { error: 'userBlocked', status: 400 },
  'invalidRequestScope',
] as const;

const TOKEN_SCHEMA = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  properties: {
    access_token: text('Access token, for `Authorization: Bearer`.'),
    token_type: { const: 'Bearer', description: 'Type of the access token.' },
    expires_in: integer('Seconds until the access token expires.'),
    refresh_token: text('Refresh token, valid once; omitted for tokens of applications.'),
    scope: SCOPE_MEMBER,
    user_id: text('Id of the user; omitted for tokens of applications.'),
    user_name: text('Display name of the user; omitted for tokens of applications.'),
  },
};

const INTROSPECTION_SCHEMA = {
  type: 'object',
  required: ['active'],
  properties: {
    active: {
      type: 'boolean',
      description: 'Whether the token is valid. Other members are omitted if not.',
    },
    scope: SCOPE_MEMBER,
    client_id: text('Client id of the application.'),
    token_type: text('`Bearer`; omitted for refresh tokens.'),
    exp: integer('Time of expiry, in seconds since 1970.'),
    iat: integer('Time of issue, in seconds since 1970.'),
    sub: text('Id of the user; omitted for tokens of applications.'),
    username: text('Uid of the user; omitted for tokens of applications.'),
    iss: text('Address of the authorization server.'),
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
  @DocumentedBody(TOKEN_BODY)
  @RespondsJson(TOKEN_SCHEMA)
  @Extension()
  @Errors(...CLIENT_ERRORS, ...TOKEN_ERRORS)
  @OperationId('createToken')
  @Summary('Get tokens for a code, for a refresh token, or for the application itself')
  async token(@Req() request: ApiRequest): Promise<TokenReply> {
    const parameters = bodyParameters(request);
    const client = await this.tokens.authenticate(request, parameters);
    return this.tokens.exchange(client, parameters);
  }

  @Post('service/auth2/revoke')
  @Public()
  @RequireHttps()
  @OauthErrors()
  @DocumentedBody({ ...TOKEN, ...CREDENTIALS })
  @RespondsJson({ type: 'object' })
  @Extension()
  @Errors(...CLIENT_ERRORS)
  @OperationId('revokeToken')
  @Summary('Revoke an access token, or a refresh token with its grant (RFC 7009)')
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
  @DocumentedBody({ ...TOKEN, ...CREDENTIALS })
  @RespondsJson(INTROSPECTION_SCHEMA)
  @Extension()
  @Errors(...CLIENT_ERRORS)
  @OperationId('introspectToken')
  @Summary('Inspect a token of the application (RFC 7662)')
  async introspect(@Req() request: ApiRequest): Promise<Introspection> {
    const parameters = bodyParameters(request);
    requireCredentials(request, parameters);
    const client = await this.tokens.authenticate(request, parameters);
    return this.tokens.introspect(client, parameters);
  }

  @Get('.well-known/oauth-authorization-server')
  @Public()
  @RespondsJson({ type: 'object' })
  @Extension()
  @OperationId('getAuthorizationServerMetadata')
  @Summary('Get the metadata of the authorization server (RFC 8414)')
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
