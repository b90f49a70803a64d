import { compress, type ContentEncoding } from '../http/content-encoding';
import { entityTag } from '../http/entity-tag';
import { JSON_TYPE, RenderedBytes, toBytes, type Rendered } from '../http/rendered-body';

/** Bytes that an entry takes in addition to its body and the strings of its keys. */
const OVERHEAD = 1200;

/** Maximum length of a URL whose page is cached: clients could fill the memory with long URLs. */
export const MAX_CACHED_URL_LENGTH = 300;

/** The text of a response, JSON or a page, with its compressed forms and its entity tags. */
export class StoredResponse {
  private readonly tags = new Map<ContentEncoding | undefined, string>();
  private readonly bodies = new Map<ContentEncoding, Rendered>();
  private readonly plain: RenderedBytes;
  private compressedBytes = 0;

  /** Called when a compressed form is added, which makes the response larger. */
  onGrowth: (() => void) | undefined;

  constructor(text: string, contentType = JSON_TYPE) {
    this.plain = RenderedBytes.of(text, contentType);
  }

  /** Bytes in memory, with the compressed forms that it has so far. */
  get size(): number {
    return this.byteLength + this.compressedBytes + OVERHEAD;
  }

  /** Bytes in memory if it gets compressed forms, which are smaller than the text. */
  get expectedSize(): number {
    return this.byteLength * 2 + OVERHEAD;
  }

  /** Bytes of the JSON. */
  get byteLength(): number {
    return this.plain.byteLength;
  }

  /** The JSON, for responses with a callback. */
  get json(): string {
    return this.plain.buffer.toString();
  }

  /** The entity tag of the response in an encoding. */
  tagOf(encoding: ContentEncoding | undefined): string {
    let tag = this.tags.get(encoding);
    if (tag === undefined) this.tags.set(encoding, (tag = entityTag(this.plain, encoding)));
    return tag;
  }

  /** The body in an encoding; a promise while it is compressed for the first time. */
  bodyOf(encoding: ContentEncoding | undefined): Rendered | Promise<Rendered> {
    if (encoding === undefined) return this.plain;
    const compressed = this.bodies.get(encoding);
    if (compressed) return compressed;
    const keep = (body: Rendered): Rendered => {
      const bytes = toBytes(body);
      if (!this.bodies.has(encoding)) {
        this.bodies.set(encoding, bytes);
        this.compressedBytes += bytes.byteLength;
        this.onGrowth?.();
      }
      return bytes;
    };
    const body = compress(this.plain, encoding);
    return 'then' in body ? body.then(keep) : keep(body);
  }
}
