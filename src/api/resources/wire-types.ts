import { type Tier } from '../access/access';

/** Where a picture is shown: its number in an annotation or a note. */
export interface PictureUseKey {
  readonly subject: 'annotation' | 'note';
  readonly id: string | number;
  readonly number: number;
}

/** Makes the addresses of private pictures; whoever keeps pictures provides it. */
export abstract class PathSigner {
  /**
   * The address that opens a private picture for a while. It belongs to this use alone: the public
   * address of the same bytes, shown elsewhere, is another. What is no path of a user's picture (an
   * imported picture's address, say) stays as it is.
   */
  abstract sign(path: string, use: PictureUseKey): string;
}

/** Addresses of all pictures of a private subject, by number. */
export const signedPhotos = (
  photos: Readonly<Record<string, string>>,
  { subject, id }: Omit<PictureUseKey, 'number'>,
  signer: PathSigner,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(photos).map(([number, path]) => [
      number,
      signer.sign(path, { subject, id, number: Number(number) }),
    ]),
  );

/** What serializers need to know besides the row itself: the addresses of D11. */
export abstract class WireContext implements PathSigner {
  /** Where the API is reached, without a trailing slash. */
  abstract readonly baseUrl: string;
  /** Where the web pages are, without a trailing slash. */
  abstract readonly webUrl: string;
  /** See {@link PathSigner}: for members of private rows. */
  abstract sign(path: string, use: PictureUseKey): string;
}

/** JSON Schema 2020-12, as far as the OpenAPI document needs it. */
export type JsonSchema = Record<string, unknown>;

/** Writes a value that is neither null nor undefined. */
export type Writer = (value: unknown, context: WireContext) => unknown;

/** A wire type: how a value is written, what stands for an absent one, and its schema. */
export interface WireType<T = unknown> {
  /** Compiled once per tier; tiers matter to types that hold other resources. */
  writer(tier: Tier): Writer;
  /** What an unset member is written as (D10); undefined when the type has no such value. */
  readonly unset?: T;
  schema(refer: (resource: NamedResource) => JsonSchema): JsonSchema;
  /** Only for type inference. */
  readonly _type?: T;
}

/** The part of a resource that types need, so that this file does not depend on it. */
export interface NamedResource {
  readonly name: string;
  compile(tier: Tier): (source: never, context: WireContext) => unknown;
}

const plain = <T>(unset: T, schema: JsonSchema, write: Writer): WireType<T> => ({
  writer: () => write,
  unset,
  schema: () => schema,
});

/** Text; unset is the empty string (D10). */
export const str = (): WireType<string> =>
  plain('', { type: 'string' }, (value) => (typeof value === 'string' ? value : String(value)));

/** One of a fixed set of words. */
export const oneOf = <const T extends string>(...words: T[]): WireType<T> => ({
  writer: () => (value) => value,
  schema: () => ({ type: 'string', enum: words }),
});

/** A whole number below 2^53; unset is 0. PostgreSQL's bigint arrives as text. */
export const int = (): WireType<number> =>
  plain(0, { type: 'integer' }, (value) => (typeof value === 'number' ? value : Number(value)));

/** A number with one decimal, such as a movie's average (D33). */
export const decimal1 = (): WireType<number> =>
  plain(0, { type: 'number' }, (value) => Math.round(Number(value) * 10) / 10);

export const bool = (): WireType<boolean> => plain(false, { type: 'boolean' }, (value) => value);

/** A timestamp that the database has written already, `yyyy-MM-dd HH:mm:ss` (D1). */
export const time = (): WireType<string> =>
  plain(
    '',
    { type: 'string', pattern: '^(\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2})?$' },
    (value) => value,
  );

/** A picture's or page's address: absolute, own ones are kept as paths (D11). */
export const address = (): WireType<string> =>
  plain('', { type: 'string' }, (value, context) => absolute(value as string, context));

/** An address made absolute: paths are below the API's own address (D11). */
export function absolute(path: string, context: WireContext): string {
  return path.startsWith('/') ? context.baseUrl + path : path;
}

/** Any JSON value, written as it is. */
export const json = (): WireType => ({ writer: () => (value) => value, schema: () => ({}) });

/** A list; unset is `[]`. */
export const list = <T>(element: WireType<T>): WireType<T[]> => ({
  writer: (tier) => {
    const write = element.writer(tier);
    return (value, context) => (value as unknown[]).map((item) => write(item, context));
  },
  unset: [],
  schema: (refer) => ({ type: 'array', items: element.schema(refer) }),
});

/** An object used as a map from any name to one type; unset is `{}`. */
export const map = <T>(element: WireType<T>): WireType<Record<string, T>> => ({
  writer: (tier) => {
    const write = element.writer(tier);
    return (value, context) =>
      Object.fromEntries(
        Object.entries(value as Record<string, unknown>).map(([key, item]) => [
          key,
          write(item, context),
        ]),
      );
  },
  unset: {},
  schema: (refer) => ({ type: 'object', additionalProperties: element.schema(refer) }),
});
