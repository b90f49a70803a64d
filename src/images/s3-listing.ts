/** One page of the objects in a bucket. */
export interface Listing {
  readonly objects: readonly { readonly key: string; readonly modified: Date }[];
  /** Continuation token of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Maximum number of objects in a page; S3 lists 1000. */
const MAX_OBJECTS = 10_000;

/** Largest code point. */
const MAX_CODE_POINT = 0x10ffff;

/** Undefined for references to characters that do not exist. */
const characterAt = (code: number): string | undefined =>
  code <= MAX_CODE_POINT ? String.fromCodePoint(code) : undefined;

/** Invalid references remain as they are: no key of a picture contains one. */
const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (match, hex?: string, dec?: string, name = '') => {
      if (hex !== undefined) return characterAt(parseInt(hex, 16)) ?? match;
      if (dec !== undefined) return characterAt(Number(dec)) ?? match;
      return ENTITIES[String(name)] ?? match;
    },
  );

/** The text of the first element with a name. */
function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : decodeEntities(found);
}

/**
 * Parses the response of ListObjectsV2. The document has no attributes, comments or CDATA. The time
 * is linear in its length.
 *
 * @throws Error when there are too many objects, or more pages but no token for the next one
 */
export function parseListing(xml: string): Listing {
  const parts = xml.split('<Contents>').slice(1);
  if (parts.length > MAX_OBJECTS) {
    throw new Error(`S3 listed a page of more than ${MAX_OBJECTS} objects`);
  }
  const objects = parts.map((part) => {
    const content = part.split('</Contents>', 1)[0] ?? '';
    return {
      key: textOf(content, 'Key') ?? '',
      modified: new Date(textOf(content, 'LastModified') ?? NaN),
    };
  });
  if (textOf(xml, 'IsTruncated') !== 'true') return { objects, next: undefined };
  const next = textOf(xml, 'NextContinuationToken');
  if (!next) throw new Error('S3 responded to a listing without a continuation token');
  return { objects, next };
}
