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

/** One member of a resource. */
export interface Field<T = unknown> {
  readonly type: WireType<T>;
  /** Tiers that see the member; default is all (specification section 2.7). */
  readonly tiers?: TierLetters;
  /** Replaces an absent value; default is the unset value of the type (D10). */
  readonly default?: T | null;
  /** Maximum number of elements written of a list. */
  readonly max?: number;
  /** Reads the value; default is the source's property of the same name. */
  // The source is a database row, whose type the resource cannot express.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly from?: (source: any, context: WireContext) => unknown;
  /** Omits the member without a value, instead of writing the unset value. */
  readonly optional?: boolean;
  readonly deprecated?: boolean;
  /** For the OpenAPI document. */
  readonly about?: string;
}

export type Fields = Record<string, Field>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type ValueOf<F> = F extends Field<infer T> ? T : any;
type MaybeAbsent<F> = F extends { optional: true } | { tiers: string } ? true : false;

/** The TypeScript type of a resource's JSON. */
export type Wire<R> =
  R extends Resource<infer F>
    ? { [K in keyof F as MaybeAbsent<F[K]> extends true ? never : K]: ValueOf<F[K]> } & {
        [K in keyof F as MaybeAbsent<F[K]> extends true ? K : never]?: ValueOf<F[K]>;
      }
    : never;

/** Converts a row to JSON; `only` contains the members that the request selects (D7). */
export type Serializer = (
  source: unknown,
  context: WireContext,
  only?: ReadonlySet<string>,
) => Record<string, unknown>;

interface CompiledField {
  readonly name: string;
  readonly read: (source: Record<string, unknown>, context: WireContext) => unknown;
  readonly write: Writer;
  /** Written for an absent value; undefined omits the member. */
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

/** A JSON object type: serializer, schema and TypeScript type derive from its table of members. */
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

  /** The serializer of one tier, created on first use. */
  compile(tier: Tier): Serializer {
    const cached = this.compiled.get(tier);
    if (cached) return cached;
    // Resources may be recursive, so fields are compiled with the first row.
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

  /** JSON Schema of the resource; members that a tier or row may lack are not required. */
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

/** Names of tiers for descriptions. */
const tierNames = (letters: TierLetters): string =>
  (Object.keys(LETTER) as Tier[])
    .filter((tier) => letters.includes(LETTER[tier]))
    .map((tier) => `\`${tier}\``)
    .join(' and ');

function memberSchema(field: Field, refer: (resource: NamedResource) => JsonSchema): JsonSchema {
  const { description: format, ...schema } = field.type.schema(refer);
  const notes = [
    field.about,
    format,
    field.max !== undefined && `At most ${field.max} elements.`,
    field.tiers && `Only in the tier ${tierNames(field.tiers)}.`,
  ]
    .filter(Boolean)
    .join(' ');
  const isAny = Object.keys(schema).length === 0;
  const nullable =
    field.default === null && !isAny ? { anyOf: [schema, { type: 'null' }] } : schema;
  return {
    ...nullable,
    ...(field.max === undefined ? {} : { maxItems: field.max }),
    ...(field.deprecated === true ? { deprecated: true } : {}),
    ...(notes === '' ? {} : { description: notes }),
  };
}

/** Declares a resource. The OpenAPI document uses the name for its schema. */
export const resource = <const F extends Fields>(name: string, fields: F): Resource<F> =>
  new Resource(name, fields);

/** A member that is another resource, without an unset value. */
export const ref = <R extends Resource>(target: R): WireType<Wire<R>> => ({
  writer: (tier) => {
    const serialize = target.compile(tier);
    return (value, context) => serialize(value, context);
  },
  schema: (refer) => refer(target),
});

/** A reference to a resource that is declared later, for recursive resources. */
export const lazyRef = <R extends Resource>(target: () => R): WireType<Wire<R>> => ({
  writer: (tier) => (value, context) => target().compile(tier)(value, context),
  schema: (refer) => refer(target()),
});
