import { ADMIN_SCOPE, type Scope } from '../access/access';
import { isAdminPath, isApiPath } from '../http/request-context';
import { isOpen, type Route } from '../routing/route-table';

/** Descriptions of scopes, in the language of the document. */
export type ScopeDescriptions = Readonly<Record<Scope, string>>;

/** The security schemes of a document: OAuth 2.0, and keys for the public API (section 5). */
export function securitySchemes(scopes: Partial<ScopeDescriptions>): Record<string, object> {
  const tokenUrl = '/service/auth2/token';
  const isAdmin = ADMIN_SCOPE in scopes;
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'Access tokens are sent as `Authorization: Bearer TOKEN`. Authorization codes require PKCE for ' +
        'applications without a secret.',
      flows: {
        authorizationCode: {
          authorizationUrl: '/service/auth2/auth',
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes,
        },
        // Tokens of applications have no user, whom administration requires.
        ...(isAdmin ? {} : { clientCredentials: { tokenUrl, scopes } }),
      },
    },
    ...(isAdmin
      ? {}
      : {
          apikey: {
            type: 'apiKey',
            in: 'query',
            name: 'apikey',
            description: 'Key of the application, for higher limits on requests without a token.',
          },
        }),
  };
}

/** The security requirements of a route: each element is one way to make the request. */
export function securityOf(route: Route): object[] {
  // Routes outside the APIs use no token; API routes accept a token even when it is optional.
  const isProtected = isAdminPath(route.path) && route.scope !== null;
  if (!isApiPath(route.path) && !isProtected) return [];
  const oauth2 = { oauth2: route.scope === null ? [] : [route.scope] };
  return isOpen(route) ? [{}, { apikey: [] }, oauth2] : [oauth2];
}

/** Describes the callers that may use a route. */
export function accessOf(route: Route): string {
  const { scope, login, tiers } = route;
  if (tiers) {
    const names = tiers.map((tier) => `\`${tier}\``).join(', ');
    const token = isOpen(route) ? 'Requires no token.' : 'Requires a token.';
    const where = tiers.length === 1 ? `tier ${names}` : `tiers ${names}`;
    return `${token} Available in the ${where}; the tier decides which members the response has.`;
  }
  if (!isOpen(route)) {
    const scoped = scope === null ? '' : ` with the scope \`${scope}\``;
    return `Requires a token${login ? ' of a user' : ''}${scoped}.`;
  }
  if (scope === null) return 'Requires no token.';
  return `Requires no token; a token must have the scope \`${scope}\`.`;
}
