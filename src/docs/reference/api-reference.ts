/** A JSON schema of the OpenAPI document, as far as the pages show it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly deprecated?: boolean;
  readonly 'x-extension'?: boolean;
}

/** A parameter, a member of a body, or a member of a response. */
export interface Field {
  readonly name: string;
  /** `path`, `query` or `header`; undefined for members of bodies and objects. */
  readonly place: 'path' | 'query' | 'header' | 'cookie' | undefined;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  /** An example value, if the document has one. */
  readonly example: unknown;
  readonly extension: boolean;
  readonly deprecated: boolean;
}

/** A response with its status: `200`, or `4XX` and `default` for groups. */
export interface ApiResponse {
  readonly status: string;
  readonly description: string;
  readonly contentType: string | undefined;
  readonly schema: Schema | undefined;
  /** An example body, if the document has one. */
  readonly example: unknown;
  /** Codes of errors with this status. */
  readonly codes: readonly number[];
}

/** The body of a request. */
export interface RequestBody {
  readonly types: readonly string[];
  readonly fields: readonly Field[];
  /** Members of the example, without pictures. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** One method on one path. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  /** CommonMark. */
  readonly description: string;
  readonly deprecated: boolean;
  readonly extension: boolean;
  readonly parameters: readonly Field[];
  /** Members of the body by content type; the first type has all of them. */
  readonly body: RequestBody | undefined;
  readonly success: ApiResponse | undefined;
  readonly errors: readonly ApiResponse[];
  /** `none`: no token is needed, `token`: one is. */
  readonly access: 'none' | 'token' | 'client';
}

/** The OpenAPI document in the form of the pages. */
export interface ApiReference {
  readonly groups: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
  /** Objects that responses refer to, by name. */
  readonly objects: ReadonlyMap<string, Schema>;
}

type Json = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The name of an object that a schema refers to; undefined for schemas without reference. */
export const referenceOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The members of an object in the order of the document. */
export function membersOf({
  properties = {},
  patternProperties = {},
  required = [],
}: Schema): Field[] {
  return Object.entries({ ...properties, ...patternProperties }).map(([name, schema]) => ({
    name,
    place: undefined,
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
    example: schema.example ?? schema.examples?.[0],
    extension: schema['x-extension'] === true,
    deprecated: schema.deprecated === true,
  }));
}

/** The first value of a member `example` or `examples` of a parameter or media type. */
function exampleOf(holder: Json): unknown {
  if (holder.example !== undefined) return holder.example;
  const [first] = Object.values(record(holder.examples));
  return record(first).value;
}

class Reader {
  constructor(private readonly document: Json) {}

  read(): ApiReference {
    const paths = Object.entries(record(this.document.paths));
    const operations = paths.flatMap(([path, item]) =>
      METHODS.filter((method) => record(item)[method] !== undefined).map((method) =>
        this.operation(method.toUpperCase(), path, record(record(item)[method])),
      ),
    );
    const tags = list(this.document.tags).map(record);
    const groups = tags.map(({ name, description }) => ({
      name: text(name),
      description: text(description),
    }));
    const schemas = record(record(this.document.components).schemas);
    return { groups, operations, objects: new Map(Object.entries(schemas) as [string, Schema][]) };
  }

  private resolve(value: unknown): Json {
    const { $ref } = record(value);
    if (typeof $ref !== 'string') return record(value);
    return $ref
      .slice(2)
      .split('/')
      .reduce((at, name) => record(at[name]), this.document);
  }

  private operation(method: string, path: string, value: Json): Operation {
    const responses = Object.entries(record(value.responses)).map(([status, response]) =>
      this.response(status, this.resolve(response)),
    );
    const content = record(this.resolve(value.requestBody).content);
    const types = Object.keys(content);
    const examples = Object.values(content).map((media) => record(exampleOf(record(media))));
    const parts = types.map((type) => record(record(content[type]).schema) as Schema);
    // Multipart bodies have pictures besides the members of forms.
    const fullest = parts.reduce<Schema>(
      (most, part) => (membersOf(part).length > membersOf(most).length ? part : most),
      {},
    );
    const [group] = list(value.tags);
    const security = list(value.security).map(record);
    return {
      id: text(value.operationId),
      method,
      path,
      group: text(group),
      summary: text(value.summary),
      description: text(value.description),
      deprecated: value.deprecated === true,
      extension: value['x-extension'] === true,
      parameters: list(value.parameters).map((one) => this.parameter(this.resolve(one))),
      body:
        types.length === 0
          ? undefined
          : { types, fields: membersOf(fullest), example: Object.assign({}, ...examples) as Json },
      success: responses.find(({ status }) => /^[23]/.test(status)),
      errors: responses.filter(({ status }) => !/^[23]/.test(status)),
      access: this.access(path, method, security),
    };
  }

  private access(path: string, method: string, security: readonly Json[]): Operation['access'] {
    if (path.startsWith('/service/auth2/') && method === 'POST') return 'client';
    const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
    return isOpen ? 'none' : 'token';
  }

  private parameter(value: Json): Field {
    const schema = record(value.schema) as Schema;
    return {
      name: text(value.name),
      place: value.in as Field['place'],
      required: value.required === true,
      description: text(value.description) || (schema.description ?? ''),
      schema,
      example: exampleOf(value) ?? schema.example ?? schema.examples?.[0],
      extension: value['x-extension'] === true,
      deprecated: value.deprecated === true || schema.deprecated === true,
    };
  }

  private response(status: string, value: Json): ApiResponse {
    const [entry] = Object.entries(record(value.content));
    const media = record(entry?.[1]);
    return {
      status,
      description: text(value.description),
      contentType: entry?.[0],
      schema: media.schema === undefined ? undefined : record(media.schema),
      example: exampleOf(media),
      codes: list(value['x-error-codes']).filter((code) => typeof code === 'number'),
    };
  }
}

/** Reads an OpenAPI 3.1 document. */
export const readReference = (document: object): ApiReference =>
  new Reader(document as Json).read();

/** The names of the objects that schemas refer to, directly or through other objects. */
export function referredObjects(
  schemas: readonly unknown[],
  objects: ReadonlyMap<string, Schema>,
): string[] {
  const found = new Set<string>();
  const session = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (found.has(name) || !objects.has(name)) continue;
      found.add(name);
      session(objects.get(name));
    }
  };
  for (const schema of schemas) session(schema);
  return [...found].sort();
}
