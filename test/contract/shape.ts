import { type JsonSchema, type NamedResource, type Resource } from '../../src/api/resource';

/** A member that may be left out of an answer. */
export class Optional {
  constructor(readonly shape: Shape) {}
}

/**
 * A wire shape as it is typed in from the specification: a JSON type, `[element]` for a list, an
 * object for an object; the member `*` stands for any name.
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
