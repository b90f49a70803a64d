import { CAPTCHA_ID, CAPTCHA_SOLUTION } from '../writes/captcha';
import { ERRORS } from '../errors/errors';
import { isAdminPath, isApiPath } from '../http/request-context';
import {
  LIMIT_HEADER_REFERENCES,
  LIMIT_HEADERS,
  refusalsOf,
  TOO_MANY,
  BANNED_WORD,
  CAPTCHA_NEEDED,
  isWrite,
  WRONG_SCHEME,
} from './openapi.limits';
import {
  APIKEY_PARAMETER,
  CALLBACK_PARAMETER,
  ERROR_DETAIL_PARAMETER,
  FIELDS_PARAMETER,
  SUPPRESS_PARAMETER,
} from './openapi.parameters';
import { type JsonSchema, type NamedResource, type Resource } from '../resources/resource';
import { isOpen, type Parameter, type Route, type RouteTable } from '../routing/route-table';

/** Collects the schemas that routes refer to, by name. */
class Schemas {
  readonly all: Record<string, JsonSchema> = {};

  readonly refer = (resource: NamedResource): JsonSchema => {
    if (!(resource.name in this.all)) {
      // Set before the members are visited: schemas may be recursive.
      this.all[resource.name] = {};
      this.all[resource.name] = (resource as Resource).schema(this.refer);
    }
    return { $ref: `#/components/schemas/${resource.name}` };
  };
}

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    msg: { type: 'string', enum: [...new Set(Object.values(ERRORS).map(({ msg }) => msg))] },
    code: { type: 'integer', enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
    request: { type: 'string', description: 'Method and path, without the query.' },
  },
  required: ['msg', 'code', 'request'],
  additionalProperties: false,
};

const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    ...(ERROR_SCHEMA.properties as object),
  },
  required: ['type', 'title', 'status', 'msg', 'code', 'request'],
  additionalProperties: false,
};

/** An error in both formats: that of RFC 6749 and that of the service (D18). */
const OAUTH_MEMBERS = { error: { type: 'string' }, error_description: { type: 'string' } };
const withOauth = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...OAUTH_MEMBERS, ...(schema.properties as object) },
  required: [...Object.keys(OAUTH_MEMBERS), ...(schema.required as string[])],
});
const OAUTH_ERROR_SCHEMA = withOauth(ERROR_SCHEMA);
const OAUTH_PROBLEM_SCHEMA = withOauth(PROBLEM_SCHEMA);

const ERROR_RESPONSE = {
  description: 'An error with its number.',
  headers: {
    'X-Error-Detail': { schema: { type: 'string' }, description: 'What was wrong in particular.' },
  },
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
};

const OAUTH_ERROR_RESPONSE = {
  ...ERROR_RESPONSE,
  description: 'An error of the authorization server, in both forms.',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/OauthError' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/OauthProblem' } },
  },
};

/** The complete schema, or any subset of its members with `fields` (D7). */
function selectableSchema(schema: JsonSchema, all: Schemas['all']): JsonSchema {
  const name = String(schema.$ref).split('/').pop() ?? '';
  const { required: _required, ...partial } = all[name] ?? {};
  all[`Partial${name}`] = partial;
  return { anyOf: [schema, { $ref: `#/components/schemas/Partial${name}` }] };
}

function answerSchema(route: Route, schemas: Schemas): JsonSchema | undefined {
  const { answer } = route;
  if (answer.kind === 'json') return { ...answer.schema };
  if (answer.kind !== 'one' && answer.kind !== 'list') return undefined;
  const reference = schemas.refer(answer.resource);
  const element = route.fields ? selectableSchema(reference, schemas.all) : reference;
  if (answer.kind === 'one') return element;
  const schemasOf = (members: typeof answer.extra): Record<string, JsonSchema> =>
    Object.fromEntries(
      Object.entries(members).map(([name, shape]) => [name, shape.schema(schemas.refer)]),
    );
  const optional = Object.entries({ ...answer.extra, ...answer.after })
    .filter(([, shape]) => shape.isOptional === true)
    .map(([name]) => name);
  const properties = {
    start: { type: 'integer', minimum: 0 },
    count: { type: 'integer', minimum: 0, maximum: 100 },
    total: { type: 'integer', minimum: 0 },
    ...schemasOf(answer.extra),
    [answer.member]: { type: 'array', items: element },
    ...schemasOf(answer.after),
  };
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

/** The JSONP response of a request with `callback` (D6). */
const JSONP = { schema: { type: 'string', description: 'callback(json);' } };

/** The solution of a challenge (1007); it may also be in the body. */
const CAPTCHA_PARAMETERS = [CAPTCHA_ID, CAPTCHA_SOLUTION].map((name) => ({
  name,
  in: 'query',
  description: 'Of a challenge from /v2/captcha, when one has to be solved; also in the body.',
  schema: { type: 'string' },
}));

const extensionMark = ({ extension }: { readonly extension?: boolean }): object =>
  extension === true ? { 'x-extension': true } : {};

const toParameter = ({ name, in: place, required, schema, about, extension }: Parameter) => ({
  name,
  in: place,
  required,
  ...extensionMark({ extension }),
  ...(about === undefined ? {} : { description: about }),
  schema,
});

function parametersOf(route: Route): unknown[] {
  const own = route.parameters.filter((parameter) => parameter.in !== 'body').map(toParameter);
  return [
    ...own,
    ...(route.fields ? [FIELDS_PARAMETER] : []),
    ...(route.method === 'GET' && route.answer.kind !== 'file'
      ? [CALLBACK_PARAMETER, SUPPRESS_PARAMETER]
      : []),
    ...(isApiPath(route.path) ? [APIKEY_PARAMETER, ERROR_DETAIL_PARAMETER] : []),
    ...(isWrite(route) ? CAPTCHA_PARAMETERS : []),
  ];
}

/** A part of a multipart body that is a file. */
const BINARY: JsonSchema = {
  type: 'string',
  format: 'binary',
  description: 'A JPG, JPEG, GIF, PNG or BMP picture smaller than 3 MB.',
};

function bodyOf(route: Route): object {
  const fields = route.parameters.filter((parameter) => parameter.in === 'body');
  const { uploads } = route;
  if (fields.length === 0 && !uploads) return {};
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema: type }) => [name, type])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  const pictures = uploads && { patternProperties: { [uploads.field.source]: BINARY } };
  return {
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema: { ...schema, ...pictures } },
        'application/json': { schema },
      },
    },
  };
}

function securityOf(route: Route): object {
  // Routes outside the APIs use no token; API routes accept a token even when it is optional.
  if (!isApiPath(route.path) && !isAdminPath(route.path)) return { security: [] };
  const scopes = route.scope === null ? [] : [route.scope];
  return { security: [...(isOpen(route) ? [{}] : []), { bearer: scopes }] };
}

function contentOf(route: Route, schemas: Schemas): object | undefined {
  if (route.answer.kind === 'file') {
    return { [route.answer.type.split(';')[0] ?? '']: { schema: { type: 'string' } } };
  }
  const schema = answerSchema(route, schemas);
  if (schema === undefined) return undefined;
  return {
    'application/json': { schema },
    ...(route.method === 'GET' ? { 'text/javascript': JSONP } : {}),
  };
}

function operationOf(route: Route, schemas: Schemas): object {
  const content = contentOf(route, schemas);
  const success = {
    description: 'Success.',
    ...(isApiPath(route.path) ? { headers: LIMIT_HEADER_REFERENCES } : {}),
    ...(content === undefined ? {} : { content }),
  };
  return {
    operationId: route.handlerName.replace('Controller.', '_'),
    tags: [route.scope === null ? 'service' : route.area],
    ...(route.summary === undefined ? {} : { summary: route.summary }),
    ...(route.deprecation ? { deprecated: true } : {}),
    ...extensionMark(route),
    ...securityOf(route),
    parameters: parametersOf(route),
    ...bodyOf(route),
    responses: {
      [route.status]: success,
      ...refusalsOf(route),
      default: { $ref: `#/components/responses/${route.oauthErrors ? 'OauthError' : 'Error'}` },
    },
  };
}

/** The OpenAPI 3.1 document of every route with a JSON response. */
export function openApiDocument(routes: RouteTable, baseUrl: string): object {
  const schemas = new Schemas();
  schemas.all.Error = ERROR_SCHEMA;
  schemas.all.Problem = PROBLEM_SCHEMA;
  schemas.all.OauthError = OAUTH_ERROR_SCHEMA;
  schemas.all.OauthProblem = OAUTH_PROBLEM_SCHEMA;
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes.routes) {
    if (route.answer.kind === 'page') continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commonplace',
      version: '2.0.0-beta',
      description: 'Media and community interface, version 2: books, notes, movies, local events.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths: sorted(paths),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers: LIMIT_HEADERS,
      responses: {
        Error: ERROR_RESPONSE,
        OauthError: OAUTH_ERROR_RESPONSE,
        TooMany: {
          ...ERROR_RESPONSE,
          ...TOO_MANY,
          headers: { ...ERROR_RESPONSE.headers, ...LIMIT_HEADER_REFERENCES, ...TOO_MANY.headers },
        },
        WrongScheme: { ...ERROR_RESPONSE, ...WRONG_SCHEME },
        BannedWord: { ...ERROR_RESPONSE, ...BANNED_WORD },
        CaptchaNeeded: { ...ERROR_RESPONSE, ...CAPTCHA_NEEDED },
      },
      schemas: sorted(schemas.all),
    },
  };
}
