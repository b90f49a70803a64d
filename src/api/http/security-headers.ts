import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import { type Request } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { isSecure } from './client-address';
import { type HeaderFields } from './header-fields';

const OPTIONS: HelmetOptions = {
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
    },
  },
  // Set per request, only on responses over HTTPS.
  strictTransportSecurity: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  referrerPolicy: { policy: 'no-referrer' },
};

/**
 * Tells a client over HTTPS to keep to it for a year (RFC 6797). Subdomains may lack HTTPS.
 *
 * @param requireHttps the setting; nothing is set without it
 */
export function setTransportSecurity(
  request: Request,
  fields: HeaderFields,
  requireHttps: boolean,
): void {
  if (requireHttps && isSecure(request))
    fields.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

/** The headers that helmet sets, which are the same for every request. */
function headersOfHelmet(): (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(OPTIONS)({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}

const SECURITY_HEADERS = headersOfHelmet();

/**
 * Sets the security headers of every response. Pages of partners use JSONP and pictures, so any
 * origin may load resources, without credentials.
 */
export function setSecurityHeaders(fields: HeaderFields): void {
  for (const [name, value] of SECURITY_HEADERS) fields.setHeader(name, value);
}

/**
 * Removes the security headers from a 304 response: those of the stored response apply (RFC 9110,
 * section 15.4.5).
 */
export function removeSecurityHeaders(response: ServerResponse): void {
  for (const [name] of SECURITY_HEADERS) response.removeHeader(name);
}

/** Response headers that scripts of other sites may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Error-Detail',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Limit2',
  'X-RateLimit-Remaining2',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
  'Deprecation',
  'Sunset',
  'Link',
  'ETag',
];

/** CORS of the API: any origin, without credentials. */
export const OPEN_CORS = {
  origin: '*',
  credentials: false,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 86400,
};

/** Maximum length of the names of headers that a preflight response repeats. */
const MAX_HEADER_NAMES_LENGTH = 1000;

/**
 * CORS options of an API request. A preflight may name any headers, up to
 * {@link MAX_HEADER_NAMES_LENGTH} characters.
 */
export const corsOptionsFor = ({ headers }: IncomingMessage): CorsOptions => {
  const names = headers['access-control-request-headers'] ?? '';
  return names.length > MAX_HEADER_NAMES_LENGTH ? { ...OPEN_CORS, allowedHeaders: [] } : OPEN_CORS;
};

const EXPOSED = EXPOSED_HEADERS.join(',');

/** The CORS headers that result from {@link OPEN_CORS}. */
export const CORS_HEADERS: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', OPEN_CORS.origin],
  ['Access-Control-Expose-Headers', EXPOSED],
];

/** The headers of every GET of the API. */
export const API_HEADERS: readonly (readonly [string, string])[] = [
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
];
