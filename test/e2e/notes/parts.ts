import { type Answer, type Harness } from '../../harness';
import { UNKNOWN_IDS } from '../books/guarantees';

/** Members of a note (specification section 2.6). */
export const NOTE_MEMBERS = [
  ...['id', 'title', 'alt', 'summary', 'content', 'privacy', 'can_reply', 'publish_time'],
  ...['update_time', 'photos', 'comments_count', 'liked_count', 'recs_count'],
].sort();

/** Ids of notes that are not there. */
export const NO_NOTES = UNKNOWN_IDS;

/** Parts of a multipart body; bytes are files. */
export type Parts = Record<string, string | Buffer>;

/** Sends a multipart body. */
export function send(
  harness: Harness,
  token: string,
  method: string,
  path: string,
  parts: Parts,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([Buffer.from(value)]), 'whatever.bin');
  }
  return harness.call(path, { method, token, body, headers });
}

/** Error of section 7 as it reaches a caller: status, code and the spelling of its name. */
export const errorOf = ({ status, body }: Answer): readonly [number, number, string] => [
  status,
  body.code,
  body.msg,
];

export const NOT_FOUND = [400, 1006, 'target_not_found'] as const;
export const FORBIDDEN = [403, 1000, 'need_permission'] as const;
