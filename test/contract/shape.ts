import {
  type JsonSchema,
  type NamedResource,
  type Resource,
} from '../../src/api/resources/resource';

/** A member that may be omitted from a response. */
export class Optional {
  constructor(readonly shape: Shape) {}
}

/**
 * A wire shape as it is typed in from the specification: a JSON type, `[element]` for a list, an
 * object for an object; the member `*` matches any name.
 */
export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | Optional
  | readonly [Shape]
  | { readonly [member: string]: Shape };

export const optional = (shape: Shape): Optional => new Optional(shape);

function toShape(schema: JsonSchema, all: Map<string, JsonSchema>): Shape {
  if (typeof schema.$ref === 'string') return toShape(all.get(schema.$ref) ?? {}, all);
  if (schema.type === 'array') return [toShape(schema.items as JsonSchema, all)];
  if (schema.type !== 'object') return schema.type as Shape;
  if (typeof schema.additionalProperties === 'object') {
    return { '*': toShape(schema.additionalProperties as JsonSchema, all) };
  }
  const required = schema.required as string[];
  return Object.fromEntries(
    Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, member]) => {
      const shape = toShape(member, all);
      return [name, required.includes(name) ? shape : optional(shape)];
    }),
  );
}

/** The shape that a resource table says of itself, with every shape inside it. */
export function shapeOf(resource: Resource): Shape {
  const all = new Map<string, JsonSchema>();
  const refer = (target: NamedResource): JsonSchema => {
    const $ref = `#/${target.name}`;
    if (!all.has($ref)) {
      all.set($ref, {});
      all.set($ref, (target as Resource).schema(refer));
    }
    return { $ref };
  };
  return toShape(resource.schema(refer), all);
}

/** The shape that a written value has; of a list the first element says it. */
export function shapeOfValue(value: unknown): Shape {
  if (Array.isArray(value)) return [shapeOfValue(value[0])];
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value !== 'object' || value === null) return typeof value as Shape;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shapeOfValue(member)]),
  );
}

const isA = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;

/**
 * Where a value differs from a shape: members that are missing, of another type or too many, each by
 * its path; nothing when it has the shape.
 *
 * @param nullable names of members that may be null
 */
export function faultsOf(
  value: unknown,
  shape: Shape,
  nullable: readonly string[] = [],
  at = '$',
): string[] {
  if (shape instanceof Optional) return faultsOf(value, shape.shape, nullable, at);
  if (typeof shape === 'string') return isA(value, shape) ? [] : [`${at} is no ${shape}`];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    const [element] = shape as readonly [Shape];
    return value.flatMap((one, place) => faultsOf(one, element, nullable, `${at}[${place}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${at} is no object`];
  }
  const members = shape as Readonly<Record<string, Shape>>;
  const missing = Object.keys(members).filter(
    (name) => name !== '*' && !(members[name] instanceof Optional) && !(name in value),
  );
  const faults = Object.entries(value).flatMap(([name, member]) => {
    const wanted = Object.hasOwn(members, name) ? members[name] : members['*'];
    if (wanted === undefined) return [`${at}.${name} is too many`];
    if (member === null && nullable.includes(name)) return [];
    return faultsOf(member, wanted, nullable, `${at}.${name}`);
  });
  return [...missing.map((name) => `${at}.${name} is missing`), ...faults];
}
