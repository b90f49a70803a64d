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

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (match, hex?: string, dec?: string, name = '') => {
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
      if (dec !== undefined) return String.fromCodePoint(Number(dec));
      return ENTITIES[String(name)] ?? match;
    },
  );

/** The text of the first element with a name. */
function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : decodeEntities(found);
}

/** Parses the response of ListObjectsV2. The document has no attributes, comments or CDATA. */
export function parseListing(xml: string): Listing {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
    key: textOf(content, 'Key') ?? '',
    modified: new Date(textOf(content, 'LastModified') ?? NaN),
  }));
  const truncated = textOf(xml, 'IsTruncated') === 'true';
  return { objects, next: truncated ? textOf(xml, 'NextContinuationToken') : undefined };
}
