import { type Tier } from '../access/access';

/** The use of a picture: its number in an annotation or a note. */
export interface PictureUseKey {
  readonly subject: 'annotation' | 'note';
  readonly id: string | number;
  readonly number: number;
}

/** Signs the addresses of private pictures; implemented by the picture module. */
export abstract class PathSigner {
  /**
   * The temporary address of a private picture. It is valid for this use only and differs from the
   * public address of the same bytes. Other paths, such as imported addresses, stay unchanged.
   */
  abstract sign(path: string, use: PictureUseKey): string;
}

/** Signed addresses of all pictures of a private subject, by number. */
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

/** Context of serializers besides the row: the addresses of D11. */
export abstract class WireContext implements PathSigner {
  /** Address of the API, without a trailing slash. */
  abstract readonly baseUrl: string;
  /** Address of the web pages, without a trailing slash. */
  abstract readonly webUrl: string;
  /** See {@link PathSigner}; for members of private rows. */
  abstract sign(path: string, use: PictureUseKey): string;
}

/** JSON Schema 2020-12, as far as the OpenAPI document needs it. */
export type JsonSchema = Record<string, unknown>;

/** Writes a value that is neither null nor undefined. */
export type Writer = (value: unknown, context: WireContext) => unknown;

/** The JSON type of a value: its writer, its unset value and its schema. */
export interface WireType<T = unknown> {
  /** Creates the writer of a tier; types that contain other resources depend on the tier. */
  writer(tier: Tier): Writer;
  /** Value of an unset member (D10); undefined when the type has none. */
  readonly unset?: T;
  schema(refer: (resource: NamedResource) => JsonSchema): JsonSchema;
  /** Whether the member is omitted when it is unset. */
  readonly isOptional?: boolean;
  /** Only for type inference. */
  readonly _type?: T;
}

/** A type of an envelope's member that is omitted when it is unset. */
export const optional = <T>(type: WireType<T>): WireType<T> => ({
  writer: (tier) => type.writer(tier),
  schema: (refer) => type.schema(refer),
  isOptional: true,
});

/** A type with a description for the OpenAPI document, such as a member of an envelope. */
export const described = <T>(type: WireType<T>, description: string): WireType<T> => ({
  ...type,
  schema: (refer) => ({ ...type.schema(refer), description }),
});

/** The part of a resource that types use, to avoid a circular import. */
export interface NamedResource {
  readonly name: string;
  compile(tier: Tier): (source: never, context: WireContext) => unknown;
}

const plain = <T>(unset: T, schema: JsonSchema, write: Writer): WireType<T> => ({
  writer: () => write,
  unset,
  schema: () => schema,
});

/** Text; the unset value is the empty string (D10). */
export const str = (): WireType<string> =>
  plain('', { type: 'string' }, (value) => (typeof value === 'string' ? value : String(value)));

/** One of a fixed set of words. */
export const oneOf = <const T extends string>(...words: T[]): WireType<T> => ({
  writer: () => (value) => value,
  schema: () => ({ type: 'string', enum: words }),
});

/** An integer below 2^53; the unset value is 0. The driver returns bigint as text. */
export const int = (): WireType<number> =>
  plain(0, { type: 'integer' }, (value) => (typeof value === 'number' ? value : Number(value)));

/** A number with one decimal, such as a movie's average (D33). */
export const decimal1 = (): WireType<number> =>
  plain(0, { type: 'number' }, (value) => Math.round(Number(value) * 10) / 10);

export const bool = (): WireType<boolean> => plain(false, { type: 'boolean' }, (value) => value);

/** A timestamp as formatted by the database, `yyyy-MM-dd HH:mm:ss` (D1). */
export const time = (): WireType<string> =>
  plain(
    '',
    {
      type: 'string',
      pattern: '^(\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2})?$',
      description: '`yyyy-MM-dd HH:mm:ss` in the time zone of the service; empty when unset.',
    },
    (value) => value,
  );

/** An absolute address of a picture or page; the service stores its own as paths (D11). */
export const address = (): WireType<string> =>
  plain('', { type: 'string', description: 'Absolute URL.' }, (value, context) =>
    absolute(value as string, context),
  );

/** Makes an address absolute: paths are relative to the address of the API (D11). */
export function absolute(path: string, context: WireContext): string {
  return path.startsWith('/') ? context.baseUrl + path : path;
}

/** Any JSON value, unchanged. */
export const json = (): WireType => ({ writer: () => (value) => value, schema: () => ({}) });

/** A list; the unset value is `[]`. */
export const list = <T>(element: WireType<T>): WireType<T[]> => ({
  writer: (tier) => {
    const write = element.writer(tier);
    return (value, context) => (value as unknown[]).map((item) => write(item, context));
  },
  unset: [],
  schema: (refer) => ({ type: 'array', items: element.schema(refer) }),
});

/** An object as a map from names to one type; the unset value is `{}`. */
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
