import { type Tier } from '../access/access';
import {
  type JsonSchema,
  type NamedResource,
  type WireContext,
  type WireType,
  type Writer,
} from './wire-types';

export * from './wire-types';

/** Tiers as the specification abbreviates them: B basic, A advance, P premium. */
export type TierLetters = 'BAP' | 'BA' | 'AP' | 'A' | 'P' | 'B';
const LETTER: Record<Tier, string> = { basic: 'B', advance: 'A', premium: 'P' };

/** One member of a wire shape. */
export interface Field<T = unknown> {
  readonly type: WireType<T>;
  /** Tiers that see the member; all of them when absent (specification section 2.7). */
  readonly tiers?: TierLetters;
  /** Written in place of an absent value; the type's own unset value when not given (D10). */
  readonly default?: T | null;
  /** Most elements of a list that are written. */
  readonly max?: number;
  /** Where the value comes from; the source's property of the same name when not given. */
  // The source is a database row, whose type the table cannot know.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly from?: (source: any, context: WireContext) => unknown;
  /** Left out when there is no value, rather than written as unset. */
  readonly optional?: boolean;
  readonly deprecated?: boolean;
  /** For the OpenAPI document. */
  readonly about?: string;
}

export type Fields = Record<string, Field>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type ValueOf<F> = F extends Field<infer T> ? T : any;
type MaybeAbsent<F> = F extends { optional: true } | { tiers: string } ? true : false;

/** The TypeScript type of a resource's wire shape. */
export type Wire<R> =
  R extends Resource<infer F>
    ? { [K in keyof F as MaybeAbsent<F[K]> extends true ? never : K]: ValueOf<F[K]> } & {
        [K in keyof F as MaybeAbsent<F[K]> extends true ? K : never]?: ValueOf<F[K]>;
      }
    : never;

/** Turns a row into its wire shape; `only` keeps the members a caller asked for (D7). */
export type Serializer = (
  source: unknown,
  context: WireContext,
  only?: ReadonlySet<string>,
) => Record<string, unknown>;

interface CompiledField {
  readonly name: string;
  readonly read: (source: Record<string, unknown>, context: WireContext) => unknown;
  readonly write: Writer;
  /** What is written for an absent value; undefined leaves the member out. */
  readonly absent: unknown;
}

function compileField(name: string, field: Field, tier: Tier): CompiledField {
  const base = field.type.writer(tier);
  const { max, from } = field;
  const write: Writer =
    max === undefined
      ? base
      : (value, context) => base((value as unknown[]).slice(0, max), context);
  const absent =
    field.optional === true
      ? undefined
      : field.default !== undefined
        ? field.default
        : field.type.unset;
  return { name, read: from ?? ((source) => source[name]), write, absent };
}

/** A wire shape: a table of members from which everything else is derived. */
export class Resource<F extends Fields = Fields> implements NamedResource {
  private readonly compiled = new Map<Tier, Serializer>();

  constructor(
    readonly name: string,
    readonly fields: F,
  ) {}

  /** Whether a tier sees a member. */
  sees(tier: Tier, field: string): boolean {
    return this.fields[field]?.tiers?.includes(LETTER[tier]) ?? true;
  }

  /** The serializer of one tier, made on first use. */
  compile(tier: Tier): Serializer {
    const known = this.compiled.get(tier);
    if (known) return known;
    // Resources may contain each other: fields are compiled when the first row comes by.
    let fields: CompiledField[] | undefined;
    const serializer: Serializer = (source, context, only) => {
      fields ??= Object.entries(this.fields)
        .filter(([name]) => this.sees(tier, name))
        .map(([name, field]) => compileField(name, field, tier));
      const out: Record<string, unknown> = {};
      for (const { name, read, write, absent } of fields) {
        if (only !== undefined && !only.has(name)) continue;
        const value = read(source as Record<string, unknown>, context);
        if (value !== null && value !== undefined) out[name] = write(value, context);
        else if (absent !== undefined) out[name] = absent;
      }
      return out;
    };
    this.compiled.set(tier, serializer);
    return serializer;
  }

  /** JSON Schema of the shape; members that a tier or a row may lack are not required. */
  schema(refer: (resource: NamedResource) => JsonSchema): JsonSchema {
    const properties = Object.fromEntries(
      Object.entries(this.fields).map(([name, field]) => [name, memberSchema(field, refer)]),
    );
    const required = Object.entries(this.fields)
      .filter(([, field]) => field.optional !== true && field.tiers === undefined)
      .map(([name]) => name);
    return { type: 'object', properties, required, additionalProperties: false };
  }
}

function memberSchema(field: Field, refer: (resource: NamedResource) => JsonSchema): JsonSchema {
  const schema = field.type.schema(refer);
  const notes = [field.about, field.tiers && `Tiers: ${field.tiers}.`].filter(Boolean).join(' ');
  const nullable = field.default === null ? { anyOf: [schema, { type: 'null' }] } : schema;
  return {
    ...nullable,
    ...(field.max === undefined ? {} : { maxItems: field.max }),
    ...(field.deprecated === true ? { deprecated: true } : {}),
    ...(notes === '' ? {} : { description: notes }),
  };
}

/** Declares a wire shape. The name is the schema's in the OpenAPI document. */
export const resource = <const F extends Fields>(name: string, fields: F): Resource<F> =>
  new Resource(name, fields);

/** A member that is another resource; no unset value of its own. */
export const ref = <R extends Resource>(target: R): WireType<Wire<R>> => ({
  writer: (tier) => {
    const serialize = target.compile(tier);
    return (value, context) => serialize(value, context);
  },
  schema: (refer) => refer(target),
});

/** A resource met before it is declared, for shapes that contain each other. */
export const lazyRef = <R extends Resource>(target: () => R): WireType<Wire<R>> => ({
  writer: (tier) => (value, context) => target().compile(tier)(value, context),
  schema: (refer) => refer(target()),
});
