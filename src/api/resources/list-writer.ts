import { unavailable } from '../errors/error-codes';
import { type RequestContext } from '../http/request-context';
import { RenderedJson, scriptSafe } from '../http/rendered-body';
import { type Page } from './page';
import { type Serializer, type WireContext } from './resource';
import { type RouteResponse } from '../routing/route-table';
import { LARGE_RESPONSE_BYTES } from './large-response-queue';
import { largeLists, longTextLists } from './list-queues';
import { inOwnSlice, SLICE_MS } from './slices';

/** Maximum size of a response body in bytes (D41). */
export const MAX_RESPONSE_BYTES = 8_000_000;

/** Bytes reserved for the JSONP callback and commas. */
const RESERVE = 1_000;

type ListResponse = Extract<RouteResponse, { kind: 'list' }>;

/** The input of a list response. */
export interface ListSource {
  readonly response: ListResponse;
  readonly context: RequestContext;
  readonly page: Page<unknown>;
  readonly wireContext: WireContext;
  /** Members selected by the request (D7). */
  readonly only: ReadonlySet<string> | undefined;
}

/**
 * Writes the JSON of one list, element by element, within {@link MAX_RESPONSE_BYTES}. It omits
 * further elements, and `count` is the number of elements written (D41).
 */
class ListWriter {
  private readonly elements: string[] = [];
  /** Elements of a large list in UTF-8: as strings, non-Latin text takes up to twice as much. */
  private pieces: Buffer[] | undefined;
  private readonly serialize: Serializer;
  private readonly before: string;
  private readonly after: string;
  private bytes: number;
  private next = 0;

  constructor(private readonly source: ListSource) {
    const { response, context } = source;
    this.serialize = response.resource.compile(context.tier ?? 'basic');
    this.before = this.members(response.extra);
    this.after = this.members(response.after);
    this.bytes = RESERVE + this.sizeOf(this.before) + this.sizeOf(this.after);
  }

  /** JSON for the body: JSONP escapes line separators. */
  private inBody(json: string): string {
    return this.source.context.callback === undefined ? json : scriptSafe(json);
  }

  private sizeOf(json: string): number {
    return Buffer.byteLength(this.inBody(json));
  }

  /** Members of the envelope, each with a trailing comma. */
  private members(shapes: ListResponse['extra']): string {
    const { context, page, wireContext } = this.source;
    let json = '';
    for (const [name, shape] of Object.entries(shapes)) {
      const value = page.extra?.[name];
      const written =
        value === null || value === undefined
          ? shape.unset
          : shape.writer(context.tier ?? 'basic')(value, wireContext);
      if (written !== undefined) json += `${JSON.stringify(name)}:${JSON.stringify(written)},`;
    }
    return json;
  }

  get isLarge(): boolean {
    return this.bytes > LARGE_RESPONSE_BYTES;
  }

  /** Whether the list will be large, extrapolated from the elements so far. */
  get willBeLarge(): boolean {
    const { length } = this.source.page.items;
    return this.isLarge || (this.bytes * length) / Math.max(this.next, 1) > LARGE_RESPONSE_BYTES;
  }

  /** Renders elements for one slice. @returns whether the list is complete */
  renderSlice(): boolean {
    const { page, wireContext, only } = this.source;
    const end = performance.now() + SLICE_MS;
    while (this.next < page.items.length) {
      const json = JSON.stringify(this.serialize(page.items[this.next], wireContext, only));
      const bytes = this.bytes + this.sizeOf(json) + 1;
      if (bytes > MAX_RESPONSE_BYTES) return true;
      this.bytes = bytes;
      this.add(json);
      this.next += 1;
      if (this.next < page.items.length && performance.now() > end) return false;
    }
    return true;
  }

  private add(json: string): void {
    if (!this.isLarge) {
      this.elements.push(json);
      return;
    }
    this.pieces ??= this.elements.splice(0).map((element) => this.pieceOf(element));
    this.pieces.push(this.pieceOf(json));
  }

  /** An element with a trailing comma. */
  private pieceOf(json: string): Buffer {
    return inOwnPages(`${this.inBody(json)},`);
  }

  finish(): RenderedJson {
    const { page, response } = this.source;
    const head = `"start":${page.start},"count":${this.next},"total":${page.total}`;
    const before = `{${head},${this.before}${JSON.stringify(response.member)}:[`;
    const after = `]${this.after === '' ? '' : `,${this.after.slice(0, -1)}`}}`;
    if (!this.pieces) return new RenderedJson(before + this.elements.join(',') + after);
    const last = this.pieces.pop() ?? Buffer.alloc(0);
    return new RenderedJson([
      Buffer.from(this.inBody(before)),
      ...this.pieces,
      last.subarray(0, -1),
      Buffer.from(this.inBody(after)),
    ]);
  }
}

/**
 * A text in UTF-8, in memory that V8 maps for it alone and returns to the operating system with it.
 * The allocator of ordinary buffers keeps what it frees: after many large responses, the process
 * would hold 100 MB more for as long as it runs. Only resizable buffers have pages of their own.
 */
function inOwnPages(text: string): Buffer {
  const maxByteLength = Buffer.byteLength(text);
  const bytes = Buffer.from(new ArrayBuffer(maxByteLength, { maxByteLength }));
  bytes.write(text);
  return bytes;
}

/**
 * Renders the rest of a long list in slices, so that other requests are served in between.
 *
 * @throws ApiError 999 with 503 when too many large lists wait, or the client leaves (D5)
 */
async function renderRest(
  writer: ListWriter,
  { response, context }: ListSource,
): Promise<RenderedJson> {
  // Pictures and links expand texts.
  const queue = response.longTexts ? longTextLists : largeLists;
  let endLarge: (() => void) | undefined;
  try {
    for (let complete = false; !complete;) {
      if (writer.willBeLarge && context.hasLongTextTurn !== true)
        endLarge ??= await queue.acquire(context);
      if (context.presence.hasLeft) throw unavailable(undefined);
      complete = await inOwnSlice(() => writer.renderSlice());
    }
    return writer.finish();
  } finally {
    endLarge?.();
  }
}

/** The JSON of a list; a promise when rendering takes more than one slice. */
export function writeList(source: ListSource): RenderedJson | Promise<RenderedJson> {
  const writer = new ListWriter(source);
  return writer.renderSlice() ? writer.finish() : renderRest(writer, source);
}
