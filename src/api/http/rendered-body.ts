import { type RequestContext } from './request-context';

/** A file that a handler returns; the route declares its type. */
export interface FileResponse {
  /** File name: letters, digits, `-` and `.`. */
  readonly name: string;
  readonly body: string;
}

/** A rendered response, which the adapter writes unchanged. */
export class RenderedBody {
  constructor(
    readonly body: string,
    readonly contentType: string,
  ) {}

  get byteLength(): number {
    return Buffer.byteLength(this.body);
  }
}

/** A rendered response in pieces: joining a large one would need twice its size in memory. */
export class RenderedPieces {
  constructor(
    readonly pieces: readonly Buffer[],
    readonly contentType: string,
  ) {}

  get byteLength(): number {
    return this.pieces.reduce((sum, piece) => sum + piece.length, 0);
  }
}

/** Maximum bytes of a response that is written at once. */
const MAX_BYTES = 65_536;

/** A rendered response as bytes: each character of `octets` is one. */
export class RenderedBytes {
  constructor(
    readonly octets: string,
    readonly contentType: string,
  ) {}

  get byteLength(): number {
    return this.octets.length;
  }

  /** The bytes as a buffer of its own. */
  get buffer(): Buffer {
    return Buffer.from(this.octets, 'latin1');
  }

  /** The bytes of a buffer, or of a text in UTF-8. */
  static of(body: Buffer | string, contentType: string): RenderedBytes {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return new RenderedBytes(bytes.toString('latin1'), contentType);
  }
}

/** A body as bytes if it is small enough to be written at once, else unchanged. */
export function toBytes(rendered: Rendered): Rendered {
  if (rendered instanceof RenderedBytes) return rendered;
  const [first, ...others] = rendered instanceof RenderedBody ? [rendered.body] : rendered.pieces;
  if (first === undefined || others.length > 0 || first.length > MAX_BYTES) return rendered;
  return RenderedBytes.of(first, rendered.contentType);
}

/** A rendered response in any form. */
export type Rendered = RenderedBody | RenderedPieces | RenderedBytes;

/** Whether a response is rendered. */
export const isRendered = (body: unknown): body is Rendered =>
  body instanceof RenderedBody || body instanceof RenderedPieces || body instanceof RenderedBytes;

/** The response is 304: the client has the body already. */
export const NOT_MODIFIED = Symbol('not modified');

export const JSON_TYPE = 'application/json; charset=utf-8';
export const JSONP_TYPE = 'text/javascript; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A body as serialized JSON: one text, or several pieces in UTF-8. */
export class RenderedJson {
  constructor(readonly json: string | readonly Buffer[]) {}
}

/** Escapes line separators, which end a statement in older JavaScript. */
export const scriptSafe = (json: string): string =>
  json.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');

/** Wraps pieces of JSON that are already safe in scripts. */
function renderPieces(context: RequestContext, pieces: readonly Buffer[]): RenderedPieces {
  if (context.callback === undefined) return new RenderedPieces(pieces, JSON_TYPE);
  const [before, after] = [Buffer.from(`${context.callback}(`), Buffer.from(');')];
  return new RenderedPieces([before, ...pieces, after], JSONP_TYPE);
}

/** Renders serialized JSON; see {@link renderBody}. */
export const renderSerializedJson = (
  context: RequestContext,
  { json }: RenderedJson,
): RenderedBody | RenderedPieces =>
  typeof json === 'string' ? renderJson(context, json, JSON_TYPE) : renderPieces(context, json);

/** Writes a value as JSON, or as `callback(json);` when the request has a callback (D6). */
export const renderBody = (
  context: RequestContext,
  value: unknown,
  type: string = JSON_TYPE,
): RenderedBody => renderJson(context, JSON.stringify(value), type);

function renderJson(context: RequestContext, json: string, type: string): RenderedBody {
  if (context.callback === undefined) return new RenderedBody(json, type);
  return new RenderedBody(`${context.callback}(${scriptSafe(json)});`, JSONP_TYPE);
}
