import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../src/pages/api-documents';
import { type RouteTable } from '../../src/api/routing/route-table';
import { BOOK_GETS } from './book-endpoints';
import { MODERATED_TEXTS } from './moderated-texts';
import { walkService } from './routes';

const DOCS = join(__dirname, '../../docs');

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly 'x-error-codes'?: readonly number[];
  readonly headers?: Record<string, object>;
  readonly content?: Record<string, { schema: object; example?: unknown }>;
}
type ErrorResponse = Response & { readonly description: string };
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly Record<string, string[]>[];
  readonly parameters: readonly {
    name: string;
    in: string;
    description?: string;
    schema: object;
    example?: unknown;
  }[];
  readonly requestBody?: {
    required: boolean;
    content: Record<string, { schema: object; example?: unknown }>;
  };
  readonly responses: Record<string, Response>;
}
interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object>; responses: Record<string, Response> };
}

/** Operations with text that others read. */
const MODERATED = new Set(
  MODERATED_TEXTS.filter(({ moderated }) => moderated.length > 0).map(({ route }) =>
    route.replace(/:(\w+)/g, '{$1}'),
  ),
);

let table: RouteTable;
let document: Document;
let administration: Document;
beforeAll(async () => {
  table = await walkService();
  document = apiDocument('public', table) as Document;
  administration = apiDocument('admin', table) as Document;
});

const operations = (of: Document = document): [string, Operation][] =>
  Object.entries(of.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

/** Responses of the errors of an operation, by status. */
function errorsOf(of: Document, key: string): Record<string, ErrorResponse> {
  const [method = '', path = ''] = key.split(' ');
  const { responses = {} } = of.paths[path]?.[method.toLowerCase()] ?? {};
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status >= '400')
      .map(([status, { $ref = '' }]) => {
        const component = of.components.responses[$ref.split('/').at(-1) ?? ''];
        return [status, component as ErrorResponse];
      }),
  );
}

/** Codes of the errors of an operation of the public document, by status. */
const codesOf = (key: string): Record<string, readonly number[]> =>
  Object.fromEntries(
    Object.entries(errorsOf(document, key)).map(([status, response]) => [
      status,
      response['x-error-codes'] ?? [],
    ]),
  );

/** Paths of parameters, headers and members of schemas that have no description. */
function undescribed(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const below = `${path}/${key}`;
    const isNamed = /\/(properties|headers|parameters)$/.test(path);
    const isSilent = isNamed && !('$ref' in (value as object)) && !hasDescription(value);
    // A member may refer to a schema, whose own description does not say what the member is.
    const isBare = path.endsWith('/properties') && !hasDescription(value);
    return [...(isSilent || isBare ? [below] : []), ...undescribed(value, below)];
  });
}

const hasDescription = (value: unknown): boolean =>
  /\w.*\.$/s.test((value as { description?: string }).description ?? '');

describe('the committed documents', () => {
  it('are what the service generates', () => {
    const read = (name: string): unknown => JSON.parse(readFileSync(join(DOCS, name), 'utf8'));
    const generated = (of: Document): unknown => JSON.parse(JSON.stringify(of));
    expect(read('openapi.json')).toEqual(generated(document));
    expect(read('openapi.admin.json')).toEqual(generated(administration));
  });
});

describe('the document of the administration API', () => {
  it('describes every route of administrators, and nothing else', () => {
    const routes = table.routes.filter(({ path }) => path.startsWith('/admin/v1/'));
    // Paths that differ only in the names of their parameters are one path.
    const shape = (key: string) => key.replace(/:\w+|\{\w+\}/g, ':');
    expect(
      operations(administration)
        .map(([key]) => shape(key))
        .sort(),
    ).toEqual(routes.map(({ method, path }) => shape(`${method} ${path}`)).sort());
  });

  it('requires a token with the scope admin for everything but itself', () => {
    for (const [key, { security }] of operations(administration)) {
      const expected = key === 'GET /admin/v1/openapi.json' ? [] : [{ oauth2: ['admin'] }];
      expect([key, security]).toEqual([key, expected]);
    }
  });
});

describe('ids of operations', () => {
  it('are verbs with a noun, and unique', () => {
    for (const each of [document, administration]) {
      const ids = operations(each).map(([, { operationId }]) => operationId);
      for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z0-9]*)+$/);
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(document.paths['/v2/book/{id}']?.get?.operationId).toBe('getBook');
    expect(document.paths['/v2/movie/search']?.get?.operationId).toBe('searchMovies');
    expect(administration.paths['/admin/v1/books/{id}']?.put?.operationId).toBe('updateBook');
  });
});

describe('the OpenAPI document', () => {
  it('is of version 3.1, whose schemas are JSON Schema 2020-12', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  });

  it('has schemas that are valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    addFormats(ajv);
    const known = JSON.parse(JSON.stringify(document)) as Document;
    ajv.addVocabulary(Object.keys(known));
    ajv.addSchema(known, 'openapi');
    const inside = operations().flatMap(([, { parameters, requestBody, responses }]) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content).map(({ schema }) => schema),
      ),
    ]);
    const resolvable = inside.map(
      (schema) =>
        JSON.parse(
          JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'),
        ) as object,
    );
    const names = Object.keys(known.components.schemas);
    const named = names.map((name) => ({ $ref: `openapi#/components/schemas/${name}` }));
    expect(names).toEqual(expect.arrayContaining(['Book', 'Collection', 'Error', 'Problem']));
    for (const schema of [...named, ...resolvable]) {
      expect(typeof ajv.compile(schema)).toBe('function');
    }
  });

  it('describes every route that is not a page, once', () => {
    const routes = table.routes.filter(
      ({ response, path }) => response.kind !== 'page' && !path.startsWith('/admin/'),
    );
    const keys = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(
      operations()
        .map(([key]) => key)
        .sort(),
    ).toEqual(keys.sort());
  });

  it('describes every operation, parameter, header and member in words, under a tag', () => {
    for (const each of [document, administration]) {
      const tags = each.tags.map(({ name }) => name);
      for (const [key, { summary, description, tags: own }] of operations(each)) {
        expect([key, typeof summary, typeof description]).toEqual([key, 'string', 'string']);
        expect([key, own.filter((tag) => !tags.includes(tag))]).toEqual([key, []]);
      }
      expect(undescribed(each)).toEqual([]);
    }
  });

  // Redocly and Spectral compare the examples with their schemas (.ci/lint-documents).
  it('has an example for every operation: test/examples has steps, npm run examples calls them', () => {
    for (const each of [document, administration]) {
      for (const [key, { parameters, requestBody, responses }] of operations(each)) {
        const silent = parameters.filter(({ in: place, example }) => place === 'path' && !example);
        const success = Object.keys(responses).find((status) => status < '300') ?? '';
        const sent = requestBody?.required ? [requestBody.content['application/json']] : [];
        const media = [...sent, ...Object.values(responses[success]?.content ?? {})];
        const without = media.filter((one) => one?.example === undefined);
        expect([key, silent, without]).toEqual([key, [], []]);
      }
    }
  });

  it('has a parameter for each wildcard of a path', () => {
    for (const [key, { parameters }] of operations()) {
      const wildcards = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = parameters.filter((parameter) => parameter.in === 'path');
      expect([key, named.map(({ name }) => name).sort()]).toEqual([key, wildcards.sort()]);
    }
  });

  it('has the errors of each operation, with their codes and meanings', () => {
    for (const each of [document, administration]) {
      for (const [key] of operations(each)) {
        const errors = errorsOf(each, key);
        expect([key, Object.keys(errors)]).toEqual([key, expect.arrayContaining(['400', '503'])]);
        for (const { 'x-error-codes': codes = [], description } of Object.values(errors)) {
          const lines = description.split('\n').map((line) => Number(/^- (\d+) `/.exec(line)?.[1]));
          expect([key, lines]).toEqual([key, codes]);
        }
      }
    }
    expect(codesOf('GET /v2/book/{id}')).toEqual({
      ...{ 400: [100, 999], 401: [103, 104, 106, 122, 123], 403: [105, 1000, 6007] },
      ...{ 404: [1001, 6000], 429: [111, 112], 500: [999], 503: [999] },
    });
  });

  it('has banned words among the errors of operations with public text', () => {
    for (const [key] of operations()) {
      expect([key, codesOf(key)[400]?.includes(1004)]).toEqual([key, MODERATED.has(key)]);
    }
  });

  it('states the limits of each operation (D16, D17)', () => {
    const names = [
      ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Limit2'],
      ...['X-RateLimit-Remaining2', 'RateLimit', 'RateLimit-Policy'],
    ];
    for (const [key, { responses, deprecated }] of operations()) {
      const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
      const limited = / \/v2\//.test(key);
      const isFree = key === 'GET /v2/rate_limit';
      const refused = Object.keys(errorsOf(document, key)[429]?.headers ?? {});
      const expected = limited && !isFree ? expect.arrayContaining([...names, 'Retry-After']) : [];
      if (!key.includes('/auth2/')) expect([key, refused]).toEqual([key, expected]);
      const sent = [...names, 'X-Request-Id', ...('304' in responses ? ['ETag'] : [])];
      if (deprecated) sent.push('Deprecation', 'Sunset', 'Link');
      const stated = Object.keys(responses[success]?.headers ?? {}).sort();
      expect([key, stated]).toEqual([key, limited ? sent.sort() : []]);
      expect([key, '304' in responses]).toEqual([key, / \/v2\//.test(key) && /^GET /.test(key)]);
    }
  });

  it('states that each write of users may require a challenge (1007)', () => {
    for (const [key, { parameters }] of operations()) {
      const asks = /^(POST|PUT|DELETE) \/v2\//.test(key);
      const names = parameters.map(({ name }) => name).filter((name) => name.startsWith('captcha'));
      expect([key, codesOf(key)[403]?.includes(1007) ?? false, names]).toEqual([
        key,
        asks,
        asks ? ['captcha_id', 'captcha_solution'] : [],
      ]);
    }
  });

  it.each(BOOK_GETS)('says that $path takes fields and callback', ({ path }) => {
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.get;
    const names = operation?.parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fields', 'callback']));
  });

  it.each(BOOK_GETS)('states who may call $path, and whether it is deprecated', (row) => {
    const operation = document.paths[row.path.replace(/:(\w+)/g, '{$1}')]?.get;
    // Anonymous callers may use the GETs of book_basic_r (D12): the empty requirement.
    const open = row.scope === 'book_basic_r' ? [{}, { apikey: [] }] : [];
    expect(operation?.security).toEqual([...open, { oauth2: [row.scope] }]);
    expect(operation?.deprecated ?? false).toBe(row.deprecated ?? false);
  });
});
