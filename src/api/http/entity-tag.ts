import { createHash, hash } from 'node:crypto';
import { type ContentEncoding } from './content-encoding';
import { RenderedBytes, RenderedPieces, type Rendered } from './rendered-body';

// Responses of the API become 304 in api/resources/etag-compression.interceptor.ts, pages in
// web/page-response.ts.

/** Characters of the digest in a tag: 132 bits. */
const DIGEST_LENGTH = 22;

function digestOf(body: Rendered): string {
  if (body instanceof RenderedBytes) return hash('sha256', body.buffer, 'base64url');
  if (!(body instanceof RenderedPieces)) return hash('sha256', body.body, 'base64url');
  const digest = createHash('sha256');
  for (const piece of body.pieces) digest.update(piece);
  return digest.digest('base64url');
}

/**
 * The strong entity tag of a response (RFC 9110, section 8.8.3): it changes if and only if the
 * bytes or the content encoding change.
 */
export const entityTag = (body: Rendered, encoding: ContentEncoding | undefined): string =>
  `"${digestOf(body).slice(0, DIGEST_LENGTH)}${encoding ? `-${encoding}` : ''}"`;

/** Maximum length of a condition that is read: more than 200 tags. */
const MAX_CONDITION = 8000;

/**
 * Whether `If-None-Match` has a tag, by weak comparison (RFC 9110, sections 8.8.3.2 and 13.1.2). A
 * longer header than {@link MAX_CONDITION} has none, so that its length does not decide the work.
 */
export function matchesTag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined || condition.length > MAX_CONDITION) return false;
  if (condition.trim() === '*') return true;
  // Tags of this service contain no commas, so that splitting finds all of them.
  return condition.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
