import { compress, type ContentEncoding } from '../http/content-encoding';
import { entityTag } from '../http/entity-tag';
import { JSON_TYPE, RenderedBody, RenderedPieces } from '../http/request-context';

/** Bytes that an entry takes in addition to its body. */
const OVERHEAD = 500;

/** The JSON of a response, with its compressed forms and its entity tags. */
export class StoredResponse {
  private readonly tags = new Map<ContentEncoding | undefined, string>();
  private readonly bodies = new Map<ContentEncoding, RenderedPieces>();
  private readonly plain: RenderedPieces;

  /** @param version of the cache when the response was read */
  constructor(
    json: string,
    readonly version: number,
  ) {
    // Not from the shared pool of small buffers, each of which would keep its neighbours.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
    bytes.write(json);
    this.plain = new RenderedPieces([bytes], JSON_TYPE);
  }

  /** Bytes in memory, compressed forms included. */
  get size(): number {
    return this.byteLength * 2 + OVERHEAD;
  }

  /** Bytes of the JSON. */
  get byteLength(): number {
    return this.plain.byteLength;
  }

  /** The JSON, for responses with a callback. */
  get json(): string {
    return String(this.plain.pieces[0]);
  }

  /** The entity tag of the response in an encoding. */
  tagOf(encoding: ContentEncoding | undefined): string {
    let tag = this.tags.get(encoding);
    if (tag === undefined) this.tags.set(encoding, (tag = entityTag(this.plain, encoding)));
    return tag;
  }

  /** The body in an encoding; a promise while it is compressed for the first time. */
  bodyOf(encoding: ContentEncoding | undefined): RenderedPieces | Promise<RenderedPieces> {
    if (encoding === undefined) return this.plain;
    const compressed = this.bodies.get(encoding);
    if (compressed) return compressed;
    const keep = (body: RenderedPieces): RenderedPieces => {
      this.bodies.set(encoding, body);
      return body;
    };
    const body = compress(new RenderedBody(this.json, JSON_TYPE), encoding);
    return body instanceof RenderedPieces ? keep(body) : body.then(keep);
  }
}
