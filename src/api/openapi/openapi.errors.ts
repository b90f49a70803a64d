import { ERRORS } from '../errors/errors';
import { type JsonSchema } from '../resources/resource';
import { type Route } from '../routing/route-table';
import { isApiPath } from '../http/request-context';
import { LIMIT_HEADER_REFERENCES, TOO_MANY } from './openapi.limits';

const REQUEST_MEMBER = { type: 'string', description: 'Method and path, without the query.' };
const CODE_MEMBER = {
  type: 'integer',
  description: 'Number of the error.',
  enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))],
};
const MSG_MEMBER = {
  type: 'string',
  description: 'Name of the error, for programs: its spelling never changes.',
  enum: [...new Set(Object.values(ERRORS).map(({ msg }) => msg))],
};

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    msg: MSG_MEMBER,
    code: CODE_MEMBER,
    request: REQUEST_MEMBER,
    detail: { type: 'string', description: 'Specific reason, only with `error_detail=1`.' },
  },
  required: ['msg', 'code', 'request'],
  additionalProperties: false,
};

const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'An error in the format of RFC 9457, for `Accept: application/problem+json`.',
  properties: {
    type: {
      type: 'string',
      description: 'Address of the page that explains the error.',
      format: 'uri',
    },
    title: { type: 'string', description: 'Name of the error, as in `msg`.' },
    status: { type: 'integer', description: 'HTTP status.' },
    ...(ERROR_SCHEMA.properties as object),
    detail: { type: 'string', description: 'Specific reason, as in `X-Error-Detail`.' },
  },
  required: ['type', 'title', 'status', 'msg', 'code', 'request'],
  additionalProperties: false,
};

/** An error in both formats: that of RFC 6749 and that of the service (D18). */
const OAUTH_MEMBERS = {
  error: { type: 'string', description: 'Error code of RFC 6749, section 5.2.' },
  error_description: { type: 'string', description: 'Explanation for developers.' },
};
const withOauth = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...OAUTH_MEMBERS, ...(schema.properties as object) },
  required: [...Object.keys(OAUTH_MEMBERS), ...(schema.required as string[])],
});

/** Schemas of error bodies, by name. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: ERROR_SCHEMA,
  Problem: PROBLEM_SCHEMA,
  OauthError: withOauth(ERROR_SCHEMA),
  OauthProblem: withOauth(PROBLEM_SCHEMA),
};

const ERROR_RESPONSE = {
  description: 'An error with its number.',
  headers: {
    'X-Error-Detail': {
      schema: { type: 'string' },
      description: 'Specific reason of the error, in English.',
    },
  },
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
};

const described = (description: string): object => ({ ...ERROR_RESPONSE, description });

const BAD_REQUEST = 'A parameter or the body is invalid.';
const NEEDS_HTTPS = 'Code 100: the request has credentials, and this service requires HTTPS.';

/** Responses of errors, by name. */
export const ERROR_RESPONSES: Readonly<Record<string, object>> = {
  Error: ERROR_RESPONSE,
  OauthError: {
    ...ERROR_RESPONSE,
    description: 'An error of the authorization server, in both forms.',
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/OauthError' } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/OauthProblem' } },
    },
  },
  BadRequest: described(`${BAD_REQUEST} ${NEEDS_HTTPS}`),
  BannedWord: described(
    `${BAD_REQUEST} ${NEEDS_HTTPS} Code 1004: the text contains a word that is not allowed.`,
  ),
  Unauthorized: described(
    'The access token (codes 103, 106, 122, 123) or the API key (code 104) is invalid.',
  ),
  Forbidden: described(
    'Code 1000: the request requires a token, a scope, a tier or a role that the caller lacks. ' +
      'Code 105: the application is blocked.',
  ),
  CaptchaNeeded: described(
    'Code 1000: the request requires a token or a scope that the caller lacks. Code 105: the ' +
      'application is blocked. Code 1007: after many writes, the request requires the solution of a ' +
      'challenge from `/v2/captcha`.',
  ),
  NotFound: described('The object does not exist, or the caller may not see it.'),
  TooMany: {
    ...ERROR_RESPONSE,
    ...TOO_MANY,
    headers: { ...ERROR_RESPONSE.headers, ...LIMIT_HEADER_REFERENCES, ...TOO_MANY.headers },
  },
};

const reference = (name: string): object => ({ $ref: `#/components/responses/${name}` });

/** Whether users write with a route, so that it may require a challenge. */
export const isWrite = ({ method, login, path }: Route): boolean =>
  method !== 'GET' && login && isApiPath(path);

/** References to the errors of a route, by status; `default` has all others. */
export function errorsOf(route: Route): Readonly<Record<string, object>> {
  if (route.oauthErrors)
    return { '4XX': reference('OauthError'), default: reference('OauthError') };
  const moderated = route.parameters.some((parameter) => parameter.moderated);
  const hasCaller = isApiPath(route.path) || route.scope !== null;
  return {
    400: reference(moderated ? 'BannedWord' : 'BadRequest'),
    ...(hasCaller
      ? {
          401: reference('Unauthorized'),
          403: reference(isWrite(route) ? 'CaptchaNeeded' : 'Forbidden'),
        }
      : {}),
    ...(route.path.includes(':') ? { 404: reference('NotFound') } : {}),
    ...(isApiPath(route.path) ? { 429: reference('TooMany') } : {}),
    default: reference('Error'),
  };
}
