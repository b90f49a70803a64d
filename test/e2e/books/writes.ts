import { type TestResponse, type Harness } from '../../harness';

export type Fields = Record<string, string | number>;

/** Requests of a user through a new application, with all scopes by default. */
export interface Writer {
  readonly id: number;
  readonly post: (
    path: string,
    fields?: Fields,
    headers?: Record<string, string>,
  ) => Promise<TestResponse>;
  readonly put: (path: string, fields?: Fields) => Promise<TestResponse>;
  readonly remove: (path: string) => Promise<TestResponse>;
  readonly get: (path: string) => Promise<TestResponse>;
}

const form = (fields: Fields): URLSearchParams => {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  return body;
};

export async function writer(
  harness: Harness,
  userId: number,
  scopes?: readonly string[],
): Promise<Writer> {
  const token = await harness.token({ userId, ...(scopes ? { scopes } : {}) });
  return {
    id: userId,
    post: (path, fields = {}, headers = {}) =>
      harness.call(path, { method: 'POST', token, body: form(fields), headers }),
    put: (path, fields = {}) => harness.call(path, { method: 'PUT', token, body: form(fields) }),
    remove: (path) => harness.call(path, { method: 'DELETE', token }),
    get: (path) => harness.call(path, { token }),
  };
}

/** Expects the complete error body of section 7 and its status. */
export function expectRefused(response: TestResponse, status: number, code: number): void {
  expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
  expect(Object.keys(response.body).sort()).toEqual(['code', 'msg', 'request']);
}

/**
 * Requests without a token, with a token of an application alone, and with a token without the
 * scope.
 */
export function itNeedsAUser(
  scope: string,
  target: () => { harness: Harness; method: string; path: string; userId: number },
): void {
  it('needs a token, of a user, with the scope (1000)', async () => {
    const { harness, method, path, userId } = target();
    const others = ['book_basic_r', scope === 'event_basic_w' ? 'book_basic_w' : 'event_basic_w'];
    const tokens = [
      undefined,
      await harness.token(),
      await harness.token({ userId, scopes: others }),
      await harness.token({ userId, approved: others }),
    ];
    for (const token of tokens) {
      const response = await harness.call(path, { method, token });
      expectRefused(response, 403, 1000);
    }
    const response = await harness.call(path, { method, token: tokens[2] });
    expect(response.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
  });
}
