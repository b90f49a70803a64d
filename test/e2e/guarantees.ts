import { ResponseCache } from '../../src/api/cache/response-cache';
import { StoredSearches } from '../../src/text/stored-searches';
import { type TestResponse, type Harness } from '../harness';
import { membersOf } from './books/shapes';

type Body = TestResponse['body'];

/** A list as one request sees it. */
export interface List {
  readonly harness: Harness;
  /** Path, with the query that selects the list. */
  readonly path: string;
  /** Member of the response that holds the elements. */
  readonly member: string;
  /** How many elements there are; more than 100, unless the list itself is shorter. */
  readonly total: number;
  readonly token?: string;
  /** How many there are when nobody asks; 20 unless the list says otherwise. */
  readonly usual?: number;
  /** Members of the response besides those of every list. */
  readonly extra?: readonly string[];
}

/** Numeric ids that belong to nothing: free, 2^31, past 2^53, past 2^63, past every machine word. */
export const UNKNOWN_IDS = [
  '0',
  '999999999',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999999999999999999999999',
];

/** Adds parameters to a path that may have some. */
export const withQuery = (path: string, query: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** The error body of section 7, whole, and the status that goes with it. */
export function expectError(
  response: TestResponse,
  status: number,
  code: number,
  msg: string,
): void {
  const { body } = response;
  expect(body).toEqual({
    msg,
    code,
    request: expect.stringMatching(/^GET \/v2\/(book|event|loc|movie)\/[^?]*$/),
  });
  expect(response.status).toBe(status);
}

/** A parameter that cannot be read: 999, and the particulars in ASCII (D4, D5). */
export function expectMalformed(response: TestResponse): void {
  expectError(response, 400, 999, 'unknow_v2_error');
  expect(response.headers.get('x-error-detail')).toMatch(/^[\x20-\x7e]+$/);
}

/** Every element of a list, page by page. */
export async function walk(list: Omit<List, 'total'>, count = 3): Promise<Body[]> {
  const { harness, path, member, token } = list;
  const elements: Body[] = [];
  for (;;) {
    const query = `start=${elements.length}&count=${count}`;
    const { status, body } = await harness.call(withQuery(path, query), { token });
    expect(status).toBe(200);
    expect(body.start).toBe(elements.length);
    expect(body.count).toBe(body[member].length);
    expect(body.count).toBeLessThanOrEqual(count);
    elements.push(...body[member]);
    if (elements.length >= body.total || body.count === 0) {
      expect(elements).toHaveLength(body.total);
      return elements;
    }
  }
}

/** Statements that are not run by a request: writes every few seconds, and the storing of searches. */
const IN_BACKGROUND =
  /^(limits\.(usage|requests|failures)\.add|search\.lock_shared|\w+_search\.(refresh_stored|store)_\w+)$/;

/**
 * Statements that the database is asked to run for one request whose response is not in memory. A
 * slow search is stored, and then has another statement; they count as the same.
 */
export async function statementsOf(harness: Harness, path: string, token?: string) {
  const names: string[] = [];
  harness.app.get(ResponseCache, { strict: false }).changeAll();
  harness.database.onStatement = (name) => {
    if (!IN_BACKGROUND.test(name)) names.push(name.replace('.search_stored_', '.search_'));
  };
  try {
    const { status, body } = await harness.call(path, { token });
    expect(status).toBe(200);
    await harness.app.get(StoredSearches, { strict: false }).settled();
    return { names, count: body.count as number };
  } finally {
    harness.database.onStatement = undefined;
  }
}

/** Tests valid `start` and `count` of a list (section 8, D2, D3). */
export function itIsPaged(of: () => List): void {
  const ask = async (query: string): Promise<Body> => {
    const { harness, path, token } = of();
    const { status, body } = await harness.call(withQuery(path, query), { token });
    expect(status).toBe(200);
    return body;
  };
  const expectPage = (body: Body, start: number, wanted: number): void => {
    const { member, total, extra = [] } = of();
    const count = Math.max(0, Math.min(wanted, total - start));
    expect(membersOf(body)).toEqual(['start', 'count', 'total', member, ...extra].sort());
    expect(body).toMatchObject({ start, count, total });
    expect(body[member]).toHaveLength(count);
  };

  it.each(['', 'start=', 'count=', 'start=&count='])('gives the usual for "%s"', async (query) =>
    expectPage(await ask(query), 0, of().usual ?? 20),
  );
  it.each([0, 1, 99, 100])('gives as many as count=%d asks for', async (count) =>
    expectPage(await ask(`count=${count}`), 0, count),
  );
  it.each(['101', '1000', '2147483648'])('makes count=%s 100', async (count) =>
    expectPage(await ask(`count=${count}`), 0, 100),
  );
  it('gives an empty page and the right total past the end', async () => {
    const { total } = of();
    for (const start of [total, total + 1, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
      expectPage(await ask(`start=${start}`), start, 20);
    }
    expectPage(await ask(`start=${total}&count=0`), total, 0);
  });
  it('gives the rest on the last page', async () => {
    const { total } = of();
    expectPage(await ask(`start=${total - 2}&count=5`), total - 2, 5);
  });
  it('has every element on exactly one page', async () => {
    const list = of();
    const elements = (await walk(list)).map((element) => JSON.stringify(element));
    expect(elements).toHaveLength(list.total);
    expect(new Set(elements).size).toBe(list.total);
  });
}

const NO_NUMBER = ['-1', '1.5', 'abc', '1e2', '0x10', '٣', '%2B5', '1%002'];

/** Tests malformed `start` and `count` of a list (D3). */
export function itRefusesMalformedPages(of: () => List): void {
  it.each(NO_NUMBER.flatMap((value) => [`start=${value}`, `count=${value}`]))(
    'rejects %s',
    async (query) => {
      const { harness, path, token } = of();
      expectMalformed(await harness.call(withQuery(path, query), { token }));
    },
  );
  it('rejects start and count given twice', async () => {
    const { harness, path, token } = of();
    expectMalformed(await harness.call(withQuery(path, 'start=1&start=2'), { token }));
    expectMalformed(await harness.call(withQuery(path, 'count=1&count=2'), { token }));
  });
}

/** A response, or an element of a list, that `fields` is tried on. */
export interface Chosen {
  readonly harness: Harness;
  readonly path: string;
  /** Member that holds the elements of a list. */
  readonly member?: string;
  readonly token?: string;
  /** Every member that there is without `fields`. */
  readonly members: readonly string[];
  /** Two of them. */
  readonly two: readonly [string, string];
}

/** Field selection (section 1, D7). */
export function itSelectsFields(of: () => Chosen): void {
  const namesWith = async (query: string): Promise<string[][]> => {
    const { harness, path, member, token } = of();
    const { status, body } = await harness.call(withQuery(path, query), { token });
    expect(status).toBe(200);
    if (member === undefined) return [membersOf(body)];
    expect(membersOf(body)).toEqual(['start', 'count', 'total', member].sort());
    expect(body.count).toBeGreaterThan(0);
    return body[member].map(membersOf);
  };
  const expectAll = (names: string[][], expected: readonly string[]): void => {
    for (const one of names) expect(one).toEqual([...expected].sort());
  };

  it.each(['', 'fields=', 'fields=all', 'fields=%20', 'fields=,'])(
    'has every member with "%s"',
    async (query) => expectAll(await namesWith(query), of().members),
  );
  it('has every member when all is among the fields', async () => {
    expectAll(await namesWith(`fields=${of().two[0]},all`), of().members);
  });
  it('has the members that fields names and no others', async () => {
    const { two } = of();
    expectAll(await namesWith(`fields=${two.join(',')}`), two);
    expectAll(await namesWith(`fields=${two[1]}`), [two[1]]);
    expectAll(await namesWith(`fields=%20${two[1]}%20,,${two[0]}`), two);
  });
  it('ignores names that fields should not have', async () => {
    const { two } = of();
    expectAll(await namesWith(`fields=${two[0]},nothing,__proto__,${two[0]}.id`), [two[0]]);
  });
}

/** A token must hold the endpoint's scope and its application the approval (D13, D15). */
export function itNeedsScope(scope: string, of: () => { harness: Harness; path: string }): void {
  it(`rejects a token without ${scope}`, async () => {
    const { harness, path } = of();
    const token = await harness.token({ scopes: ['event_basic_r'] });
    const response = await harness.call(path, { token });
    expectError(response, 403, 1000, 'need_permission');
    const challenge = String(response.headers.get('www-authenticate'));
    expect(challenge).toMatch(/^Bearer /);
    expect(challenge).toContain('error="insufficient_scope"');
  });
  it(`rejects an application that is not approved for ${scope}`, async () => {
    const { harness, path } = of();
    const token = await harness.token({ scopes: [scope], approved: ['event_basic_r'] });
    expectError(await harness.call(path, { token }), 403, 1000, 'need_permission');
  });
}
