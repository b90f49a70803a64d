/** A path of the OpenAPI document with one of its methods, as far as requests are made of it. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  /** Names of parameters in the query, and in the body. */
  readonly query: readonly string[];
  readonly body: readonly string[];
}

/** A request that means harm; sent as it is. */
export interface HostileRequest {
  /** Description of the request, for messages. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema?: { readonly properties?: Record<string, unknown> } }>
    >;
  };
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const [content] = Object.values(requestBody?.content ?? {});
      return {
        path,
        method: method.toUpperCase(),
        query: parameters.flatMap((one) => (one.in === 'query' ? [String(one.name)] : [])),
        body: Object.keys(content?.schema?.properties ?? {}),
      };
    }),
  );
}

/** Texts that have broken programs: long repetitions of a character, names of members, numbers. */
const TEXTS: Readonly<Record<string, string>> = {
  'a long word': 'a'.repeat(60_000),
  spaces: `a${' '.repeat(60_000)}b`,
  'open brackets': '('.repeat(30_000),
  'open tags': '<a href="'.repeat(5000),
  'pictures without end': '<图片 1="'.repeat(5000),
  'note marks': '[img=1:C][url=http://x]'.repeat(2500),
  formulas: '<tex>'.repeat(10_000),
  addresses: 'http://a.b/('.repeat(5000),
  'combining marks': `a${'\u0300\u0316'.repeat(15_000)}`,
  'characters that become many': 'ﷺ'.repeat(10_000),
  'dotted capitals': 'İ'.repeat(10_000),
  'Chinese characters': Array.from({ length: 9000 }, (_, at) =>
    String.fromCodePoint(0x4e00 + at),
  ).join(''),
  'a turned order': '\u202e'.repeat(1000),
  NUL: 'a\u0000b',
  'a lone surrogate': 'a\ud800b',
  emoji: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(3000),
  __proto__: '__proto__',
  constructor: 'constructor',
  toString: 'toString',
  words: Array.from({ length: 12_000 }, (_, at) => `abc${at}`).join(' '),
  commas: ','.repeat(30_000),
  names: Array.from({ length: 8000 }, (_, at) => `n${at}`).join(','),
  lines: 'x\n'.repeat(20_000),
  'a huge number': '1e400',
  'many digits': '9'.repeat(5000),
  'past 2^63': '9223372036854775808',
  'a negative number': '-1',
  'a fraction': '0.1',
  'digits of another script': '٣',
  'a wildcard': '%_\\'.repeat(2000),
  'a statement': `'; DROP TABLE books; --`,
  'a time of the far future': '+275760-09-13T00:00:00Z',
  'an operator': `' & | ! <-> :* ${'('.repeat(200)}`,
};

/** Members of records in requests. */
const MEMBERS = ['id', 'rank', 'subject_id', 'subject', 'delta', 'name', 'title', 'count'];

/** A list of a record whose members have a value. */
const membersOf = (json: string): string =>
  `[{${MEMBERS.map((name) => `"${name}":${json}`).join()}}]`;

/** Values of JSON that no form could send. */
const VALUES: Readonly<Record<string, string>> = {
  'an overflow': '1e400',
  'a negative overflow': '-1e400',
  'an underflow': '1e-400',
  'a rounded integer': '9007199254740993',
  'a half': '0.5',
  true: 'true',
  null: 'null',
  'an empty list': '[]',
  'an empty object': '{}',
  'a list of lists': '[[1],[[2]]]',
  'a long list': `[${'1,'.repeat(100_000)}1]`,
  'a list of objects': `[${'{"id":1},'.repeat(10_000)}{}]`,
  'an object of many members': `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":1`).join()}}`,
  'members of every object': '{"__proto__":{"x":1},"constructor":{"prototype":1},"toString":1}',
  'an object that cannot become text': '{"toString":1,"valueOf":1,"toJSON":1}',
  'a list of such objects': '[{"toString":1,"valueOf":1,"toJSON":1}]',
  'such an object in lists': '[[{"toString":1}]]',
  'such objects as members': membersOf('{"toString":1}'),
  'lists of such objects as members': membersOf('[[{"toString":1}]]'),
  'a sparse object': '{"4294967294":1,"length":4294967295}',
  'nesting to the limit': `${'['.repeat(30)}${']'.repeat(30)}`,
  'endless nesting': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'a lone surrogate': '"\\ud800"',
  NUL: '"\\u0000"',
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const MAX_QUERY = 60_000;

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** As much of an encoded text as fits into a request line. */
function encodedQuery(text: string): string {
  const encoded = encode(text);
  if (encoded.length <= MAX_QUERY) return encoded;
  const fitting = Math.floor((text.length * MAX_QUERY) / encoded.length);
  return encode(text.slice(0, fitting)).slice(0, MAX_QUERY + 100);
}

/** Headers that are long lists, or what no client sends. */
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'many cookies': { cookie: 'a=1; '.repeat(10_000) },
  'a broken cookie': { cookie: `commonplace="${'%'.repeat(50_000)}` },
  'many ranges': { range: `bytes=${'0-1,'.repeat(10_000)}2-3` },
  'many types': { accept: `${'a/b;q=0.1,'.repeat(5000)}application/problem+json` },
  'many languages': { 'accept-language': 'zh-Hant-TW;q=0.9,'.repeat(3000) },
  'blank authorization': { authorization: `\u00a0${' \u00a0'.repeat(20_000)}x` },
  'a long token': { authorization: `Bearer ${'a'.repeat(60_000)}` },
  'broken credentials': { authorization: `Basic ${'A'.repeat(60_000)}` },
  'many tags': { 'if-none-match': '"a",'.repeat(10_000) },
  'a time that is none': { 'if-modified-since': '9'.repeat(5000) },
  'many hops': { 'x-forwarded-for': '1.1.1.1,'.repeat(7000) },
  'a long id': { 'x-request-id': 'a'.repeat(60_000) },
  'an origin that is none': { origin: '[['.repeat(1000) },
  'a forwarded scheme': { 'x-forwarded-proto': 'https,'.repeat(8000) },
  'an idempotency key': { 'idempotency-key': 'k'.repeat(50_000) },
};

const METHODS = ['PATCH', 'TRACE', 'PROPFIND', 'PURGE', 'MKCOL', 'SEARCH', 'OPTIONS', 'HEAD'];

/** Paths that are no operation's. */
const PATHS: Readonly<Record<string, string>> = {
  'a long path': `/v2/${'a/'.repeat(25_000)}`,
  'a long segment': `/v2/book/${'1'.repeat(60_000)}`,
  dots: `/v2/${'../'.repeat(15_000)}etc/passwd`,
  'encoded dots': `/v2/${'%2e%2e%2f'.repeat(5000)}`,
  'percent signs': `/v2/book/${'%'.repeat(50_000)}`,
  'encoded percent signs': `/v2/book/${'%25'.repeat(15_000)}`,
  NUL: '/v2/book/%00',
  slashes: '/'.repeat(60_000),
  'an object member': '/v2/book/user/__proto__/tags',
  'matrix parameters': `/v2/book/1${';a=1'.repeat(10_000)}`,
};

/** Many parameters at once, by what they are. */
const QUERIES: Readonly<Record<string, string>> = {
  '10,000 parameters': Array.from({ length: 10_000 }, (_, at) => `p${at}`)
    .join('&')
    .slice(0, MAX_QUERY),
  '10,000 times the same': 'fields=a&'.repeat(6000),
  '10,000 times start': 'start=1&'.repeat(7000),
  ampersands: '&'.repeat(MAX_QUERY),
  'equals signs': '='.repeat(MAX_QUERY),
  'members of every object': '__proto__=1&constructor=1&toString=1&hasOwnProperty=1&__proto__[x]=1',
  indexes: 'a[4294967294]=1&start[0]=1&q[]=1',
  'bytes that are no text': 'q=%ff%fe%ed%a0%80&callback=%ff',
};

const aimed = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '1');

/** Bodies for an operation: each parameter with each value, in each encoding that can send it. */
function* bodies(names: readonly string[]): Generator<readonly [string, string, string]> {
  for (const [what, text] of Object.entries(TEXTS)) {
    const all = Object.fromEntries(
      names.map((name) => [name, text.slice(0, 900_000 / names.length)]),
    );
    yield [`${what} in JSON`, JSON_TYPE, JSON.stringify(all)];
    yield [
      `${what} in a form`,
      FORM,
      Object.entries(all)
        .map(([name, one]) => `${name}=${encode(one)}`)
        .join('&'),
    ];
  }
  for (const [what, value] of Object.entries(VALUES)) {
    const most = Math.max(1, Math.floor(900_000 / value.length));
    yield [
      what,
      JSON_TYPE,
      `{${names
        .slice(0, most)
        .map((name) => `"${name}":${value}`)
        .join()}}`,
    ];
  }
  const [first = 'a'] = names;
  yield ['a member twice', JSON_TYPE, `{"${first}":"a","${first}":"b"}`];
  yield ['a value of every object', JSON_TYPE, '{"__proto__":{"title":"a"},"constructor":1}'];
  yield ['many members', JSON_TYPE, VALUES['an object of many members'] as string];
  yield ['1,001 parameters', FORM, 'a=1&'.repeat(1001)];
  yield ['the same 900 times', FORM, `${first}=1&`.repeat(900)];
  yield ['half a percent sign', FORM, `${first}=%`];
}

/** Multipart bodies that are none, or too much of it. */
const MULTIPART: Readonly<Record<string, string>> = {
  'an index without end': part('a[4294967294]', 'x'),
  'names in brackets': part('a[b][c][d]', 'x'),
  'a name of brackets': part('['.repeat(5000), 'x'),
  '200 parts': part('a', 'x').repeat(200),
  'a header without end': `--b\r\nContent-Disposition: form-data; name="${'a'.repeat(200_000)}"\r\n\r\nx\r\n`,
  'many headers': `--b\r\n${'X: y\r\n'.repeat(5000)}\r\nx\r\n`,
  'a name of every object': part('__proto__', 'x') + part('constructor', 'x'),
  'delimiters alone': '--b\r\n'.repeat(20_000),
  'half delimiters': '\r\n--'.repeat(20_000),
};

function part(name: string, value: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/**
 * Hostile requests to an operation.
 *
 * @param ids values of wildcards by their names, so that something is found
 */
export function* hostileRequests(
  { path, method, query, body }: Operation,
  ids: Readonly<Record<string, string>>,
): Generator<HostileRequest> {
  const target = aimed(path, ids);
  const base = { method, headers: {} };
  for (const [what, text] of Object.entries(TEXTS)) {
    const value = encodedQuery(text);
    for (const name of query.filter((one) => one !== 'apikey' || what === 'NUL')) {
      yield { ...base, name: `${what} in ${name}`, path: `${target}?${name}=${value}` };
    }
    if (path.includes('{')) {
      const odd = path.replace(/\{\w+\}/g, encode(text).slice(0, 20_000));
      yield { ...base, name: `${what} in the path`, path: odd };
    }
  }
  for (const [what, all] of Object.entries(QUERIES)) {
    yield { ...base, name: what, path: `${target}?${all}` };
  }
  for (const [what, headers] of Object.entries(HEADERS)) {
    yield { ...base, name: what, path: target, headers };
  }
  if (method === 'GET') {
    for (const other of METHODS) yield { ...base, name: other, method: other, path: target };
    return;
  }
  for (const [what, type, text] of bodies(body.length === 0 ? ['a'] : body)) {
    const headers = { 'content-type': type };
    yield { ...base, name: what, path: target, headers, body: Buffer.from(text) };
  }
  for (const [what, text] of Object.entries(MULTIPART)) {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const all = Buffer.from(`${text}--b--\r\n`);
    yield { ...base, name: `multipart: ${what}`, path: target, headers, body: all };
  }
}

/** Hostile requests to paths that are no operation's. */
export function* hostilePaths(): Generator<HostileRequest> {
  for (const [name, path] of Object.entries(PATHS)) {
    for (const method of ['GET', 'POST']) yield { name, method, path, headers: {} };
  }
}
