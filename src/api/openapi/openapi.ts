import { MAX_COUNT } from '../resources/page';
import { isApiPath } from '../http/request-context';
import { type JsonSchema, type NamedResource, type Resource } from '../resources/resource';
import {
  type Deprecation,
  type Parameter,
  type Route,
  type RouteTable,
} from '../routing/route-table';
import { ERROR_SCHEMAS, ErrorResponses } from './openapi.errors';
import {
  isConditional,
  notModifiedOf,
  RESPONSE_HEADERS,
  responseHeadersOf,
} from './openapi.headers';
import {
  CALLBACK_PARAMETER,
  CAPTCHA_PARAMETERS,
  COMMON_PARAMETERS,
  describePathParameter,
  ERROR_DETAIL_PARAMETER,
  FIELDS_PARAMETER,
  IDEMPOTENCY_PARAMETER,
  IF_NONE_MATCH_PARAMETER,
  SUPPRESS_PARAMETER,
} from './openapi.parameters';
import { accessOf, securityOf, securitySchemes, type ScopeDescriptions } from './openapi.security';
import { withExample, type Example } from './openapi.examples';
import { isRepeatable, isWrite } from './operation-errors';
import { operationIdOf } from './operation-id';

/** A group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Options that differ between documents. */
export interface DocumentOptions {
  readonly title: string;
  /** Introduction in CommonMark. */
  readonly description: string;
  /** Server URL; relative to the address of the document. */
  readonly baseUrl: string;
  /** Groups in the order of display. */
  readonly tags: readonly Tag[];
  /** The group of a route; undefined where the document does not have it. */
  readonly tagOf: (route: Route) => string | undefined;
  readonly scopes: Partial<ScopeDescriptions>;
  /** Examples by method and path, such as `GET /v2/book/{id}`. */
  readonly examples: Readonly<Record<string, Example>>;
}

/** Collects the schemas that routes refer to, by name. */
class Schemas {
  readonly all: Record<string, JsonSchema> = { ...ERROR_SCHEMAS };

  readonly refer = (resource: NamedResource): JsonSchema => {
    if (!(resource.name in this.all)) {
      // Set before the members are visited: schemas may be recursive.
      this.all[resource.name] = {};
      this.all[resource.name] = (resource as Resource).schema(this.refer);
    }
    return { $ref: `#/components/schemas/${resource.name}` };
  };
}

function responseSchema(route: Route, schemas: Schemas): JsonSchema | undefined {
  const { response } = route;
  if (response.kind === 'json') return { ...response.schema };
  if (response.kind !== 'one' && response.kind !== 'list') return undefined;
  const element = schemas.refer(response.resource);
  if (response.kind === 'one') return element;
  const schemasOf = (members: typeof response.extra): Record<string, JsonSchema> =>
    Object.fromEntries(
      Object.entries(members).map(([name, shape]) => [name, shape.schema(schemas.refer)]),
    );
  const optional = Object.entries({ ...response.extra, ...response.after })
    .filter(([, shape]) => shape.isOptional === true)
    .map(([name]) => name);
  const properties = {
    start: { type: 'integer', minimum: 0, description: 'Number of elements before the first.' },
    count: { type: 'integer', minimum: 0, maximum: 100, description: 'Number of elements.' },
    total: { type: 'integer', minimum: 0, description: 'Number of elements of all pages.' },
    ...schemasOf(response.extra),
    [response.member]: {
      type: 'array',
      maxItems: MAX_COUNT,
      items: element,
      description: `The ${response.member} of this page, at most ${MAX_COUNT}.`,
    },
    ...schemasOf(response.after),
  };
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

const extensionMark = ({ extension }: { readonly extension?: boolean }): object =>
  extension === true ? { 'x-extension': true } : {};

const toParameter = ({ name, in: place, required, schema, about, extension }: Parameter) => ({
  name,
  in: place,
  required,
  ...extensionMark({ extension }),
  description: about ?? COMMON_PARAMETERS[name],
  schema,
});

function parametersOf(route: Route): { readonly name: string }[] {
  const own = route.parameters.filter((parameter) => parameter.in !== 'body').map(toParameter);
  return [
    ...own,
    ...(route.fields ? [FIELDS_PARAMETER] : []),
    ...(route.method === 'GET' && route.response.kind !== 'file'
      ? [CALLBACK_PARAMETER, SUPPRESS_PARAMETER]
      : []),
    ...(isApiPath(route.path) ? [ERROR_DETAIL_PARAMETER] : []),
    ...(isWrite(route) ? CAPTCHA_PARAMETERS : []),
    ...(isRepeatable(route) ? [IDEMPOTENCY_PARAMETER] : []),
    ...(isConditional(route) ? [IF_NONE_MATCH_PARAMETER] : []),
  ];
}

/** A part of a multipart body that is a file. */
const BINARY: JsonSchema = {
  type: 'string',
  format: 'binary',
  description: 'A JPG, JPEG, GIF, PNG or BMP picture smaller than 3 MB.',
};

function bodyOf(route: Route, example: Example): object {
  const fields = route.parameters.filter((parameter) => parameter.in === 'body');
  const { uploads } = route;
  if (fields.length === 0 && !uploads) return {};
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, schema: type, about, extension }) => [
        name,
        { ...type, ...extensionMark({ extension }), ...(about && { description: about }) },
      ]),
    ),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  const pictures = uploads && { patternProperties: { [uploads.field.source]: BINARY } };
  return {
    requestBody: {
      required: schema.required.length > 0,
      content: {
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema: { ...schema, ...pictures } },
        'application/json': { schema, ...(example.body && { example: example.body }) },
      },
    },
  };
}

function contentOf(route: Route, schemas: Schemas, example: Example): object | undefined {
  const shown = example.response === undefined ? {} : { example: example.response };
  if (route.response.kind === 'file') {
    return { [route.response.type.split(';')[0] ?? '']: { schema: { type: 'string' }, ...shown } };
  }
  const schema = responseSchema(route, schemas);
  if (schema === undefined) return undefined;
  return { 'application/json': { schema, ...shown } };
}

/** Facts about a route in words: who may use it, and what it accepts. */
const descriptionOf = (route: Route): string =>
  [
    accessOf(route),
    ...(route.fields ? ['Members can be selected with `fields`.'] : []),
    ...(route.free ? ['Does not count against limits.'] : []),
    ...(isRepeatable(route)
      ? ['With an `Idempotency-Key`, a repeated request is executed once.']
      : []),
    ...(route.deprecation ? [`Deprecated: use \`${route.deprecation.successor}\`.`] : []),
  ].join(' ');

/** Dates of a deprecation, for the comparison with the next release (D137). */
const deprecationOf = ({ since, sunset, successor }: Deprecation): object => ({
  since: since.toISOString().slice(0, 10),
  sunset: sunset.toISOString().slice(0, 10),
  successor,
});

function operationOf(
  route: Route,
  tag: string,
  { schemas, errors }: { schemas: Schemas; errors: ErrorResponses },
  example: Example = {},
): object {
  const content = contentOf(route, schemas, example);
  const success = {
    description: 'Success.',
    ...(isApiPath(route.path) ? { headers: responseHeadersOf(route) } : {}),
    ...(content === undefined ? {} : { content }),
  };
  return {
    operationId: operationIdOf(route),
    tags: [tag],
    ...(route.summary === undefined ? {} : { summary: route.summary }),
    description: descriptionOf(route),
    ...(route.deprecation
      ? { deprecated: true, 'x-deprecation': deprecationOf(route.deprecation) }
      : {}),
    ...extensionMark(route),
    security: securityOf(route),
    parameters: parametersOf(route).map((parameter) => withExample(parameter, example)),
    ...bodyOf(route, example),
    responses: { [route.status]: success, ...notModifiedOf(route), ...errors.of(route) },
  };
}

/**
 * The path of a route with parameters as `{name}`. Paths that differ only in the names of their
 * parameters are one path of the document, whose names come from the first route.
 */
class Templates {
  private readonly byShape = new Map<string, string[]>();

  of({ path }: Route): { readonly path: string; readonly names: ReadonlyMap<string, string> } {
    const own = [...path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
    const shape = path.replace(/:\w+/g, ':');
    const names = this.byShape.get(shape) ?? own;
    this.byShape.set(shape, names);
    const renamed = new Map(own.map((name, at) => [name, names[at] ?? name]));
    return {
      path: path.replace(/:(\w+)/g, (_, name: string) => `{${renamed.get(name)}}`),
      names: renamed,
    };
  }
}

/** The components that a part of a document refers to. */
function used(
  kind: string,
  components: Readonly<Record<string, object>>,
  referring: object,
): Record<string, object> {
  const text = JSON.stringify(referring);
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
}

/** The OpenAPI 3.1 document of the routes with a JSON response that have a tag. */
export function openApiDocument(routes: RouteTable, options: DocumentOptions): object {
  const { title, description, baseUrl, tags, tagOf, scopes, examples } = options;
  const schemas = new Schemas();
  const errors = new ErrorResponses();
  const templates = new Templates();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes.routes) {
    const tag = tagOf(route);
    if (tag === undefined || route.response.kind === 'page') continue;
    const { path, names } = templates.of(route);
    const parameters = route.parameters.map((parameter) =>
      parameter.in === 'path'
        ? {
            ...parameter,
            name: names.get(parameter.name) ?? parameter.name,
            about: describePathParameter(route.path, parameter.name),
          }
        : parameter,
    );
    const method = route.method.toLowerCase();
    const example = examples[`${route.method} ${path}`];
    const collected = { schemas, errors };
    (paths[path] ??= {})[method] = operationOf({ ...route, parameters }, tag, collected, example);
  }
  const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
  const responses = sorted(errors.all);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '2.0.0',
      description,
      contact: { name: 'Operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags,
    paths: sorted(paths),
    components: {
      securitySchemes: securitySchemes(scopes),
      headers: used('headers', RESPONSE_HEADERS, paths),
      responses,
      schemas: sorted(used('schemas', schemas.all, { paths, responses, schemas: schemas.all })),
    },
  };
}
