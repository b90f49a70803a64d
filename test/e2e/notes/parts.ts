import { type TestResponse, type Harness } from '../../harness';
import { UNKNOWN_IDS } from '../guarantees';
import { expectRefused } from '../books/writes';

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
): Promise<TestResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([Buffer.from(value)]), 'whatever.bin');
  }
  return harness.call(path, { method, token, body, headers });
}

/** Error of section 7 as it reaches a caller: status, code and the spelling of its name. */
export const errorOf = ({ status, body }: TestResponse): readonly [number, number, string] => [
  status,
  body.code,
  body.msg,
];

export const NOT_FOUND = [400, 1006, 'target_not_found'] as const;
export const FORBIDDEN = [403, 1000, 'need_permission'] as const;

/**
 * A call without a token, with one of an application alone, and with one without the scope is 1000;
 * one of an application that lost its approval is 1001 (D15).
 */
export function itIsForReaders(
  target: () => { harness: Harness; method: string; path: string; userId: number },
): void {
  it('needs a token, of a user, with the scope (1000), and approval (1001)', async () => {
    const { harness, method, path, userId } = target();
    const others = ['book_basic_r', 'event_basic_w'];
    const tokens = [
      undefined,
      await harness.token(),
      await harness.token({ userId, scopes: others }),
    ];
    for (const token of tokens) {
      expectRefused(await harness.call(path, { method, token }), 403, 1000);
    }
    const response = await harness.call(path, { method, token: tokens[2] });
    expect(response.headers.get('www-authenticate')).toContain('scope="community_basic_note"');
    const token = await harness.token({ userId, approved: others });
    expectRefused(await harness.call(path, { method, token }), 404, 1001);
  });
}
