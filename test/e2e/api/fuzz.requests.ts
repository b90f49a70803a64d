import fc from 'fast-check';

/** One method on one path of the OpenAPI document. */
export interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, unknown>; readonly $ref?: string }
  >;
}
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A request, ready to be sent. */
export interface FuzzRequest {
  /** The path of the document that it was made of. */
  readonly template: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Values of the seeded service, so that many requests find something. */
export interface Known {
  readonly tokens: readonly string[];
  readonly apikey: string;
  readonly names: readonly string[];
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '三体',
    '三',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '&',
    '|',
    '!',
    ':*',
    '<->',
    '\u0000',
    '\u0001',
  ),
  fc.constantFrom('\u0301', '\ud800', '\u2028', '\u3000', 'İ', 'ﷺ', '\u{1f4da}', 'e\u0301', '0'),
  // A request line and headers beyond 16 KB are refused before they reach the service.
  fc.nat({ max: 100 }).map((times) => '围城 '.repeat(times)),
);

/** Segments of a path, which are sent unencoded. */
const segments = (known: Known) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('1', '2', '7', '9787536692930', ...known.names) },
    fc.nat({ max: 80 }).map(String),
    fc.constantFrom(
      '0',
      '00',
      '007',
      '9007199254740993',
      '9'.repeat(30),
      '-1',
      '1.5',
      '1e3',
      '%31',
    ),
    fc.constantFrom('%', '%zz', '%ff', '%00', '%2F', '%E5%9B', '..', '.', '-', '_', 'a.b-c_d', '*'),
    fc.constantFrom('%E5%9B%B4', '%D9%A1', '%EF%BC%91', '1%0A', "'", '%27--', '$1', ';a=b'),
    anyText.map(encode),
  );

const numbers = fc.oneof(
  fc.integer({ min: -2, max: 120 }).map(String),
  fc.constantFrom(
    '',
    ' ',
    '1.5',
    'abc',
    '1e9',
    '0x1',
    '1001',
    '9007199254740991',
    '9007199254740992',
  ),
  fc.constantFrom('2147483648', '-9', '１', '99999999999999999999', '+5', '5 ', 'NaN'),
);
const instants = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'),
  fc.constantFrom('2013-12-25T22:09:04 08:00', '2013-02-30T00:00:00Z', '+275760-09-13T00:00:00Z'),
  fc.constantFrom('2013-12-25T23:59:60Z', '9999-12-31T23:59:59-23:59', '', '2013'),
);
const words = fc.constantFrom(
  ...['', 'wish', 'reading', 'read', 'doing', 'done', 'text', 'html', 'collect', 'rank', 'page'],
  ...[
    'all',
    'constructor',
    '__proto__',
    'toString',
    'WISH',
    'title,author',
    'title',
    'id,total,,x',
  ],
);
const callbacks = fc.constantFrom(
  '',
  'f',
  'cb_1',
  'x'.repeat(50),
  'x'.repeat(51),
  'a.b',
  '中',
  'a()',
);

function valueOf(name: string, known: Known): fc.Arbitrary<string> {
  if (/^(start|count|page|rating)$/.test(name)) return fc.oneof(numbers, numbers, words, anyText);
  if (/^(from|to)$/.test(name)) return fc.oneof(instants, instants, anyText);
  if (name === 'callback') {
    const good = fc.constantFrom('f', 'cb_1', '');
    return fc.oneof({ weight: 4, arbitrary: good }, callbacks, anyText);
  }
  if (name === 'apikey') {
    const good = fc.constantFrom('', known.apikey);
    return fc.oneof({ weight: 4, arbitrary: good }, anyText);
  }
  return fc.oneof(fc.constant(''), words, words, anyText, fc.constantFrom(...known.names, '小说'));
}

const COMMON = [
  'callback',
  'fields',
  'start',
  'count',
  'apikey',
  'access_token',
  'format',
  'unknown',
];

function query(operation: Operation, known: Known): fc.Arbitrary<string> {
  const own = operation.parameters.filter((parameter) => parameter.in === 'query');
  const names = [...new Set([...own.map(({ name }) => name), ...COMMON])];
  // Often the endpoint's own parameters; sometimes parameters of other operations, and unknown
  // parameters.
  const often = own.length === 0 ? names : own.map(({ name }) => name);
  const pair = fc
    .oneof({ weight: 2, arbitrary: fc.constantFrom(...often) }, fc.constantFrom(...names))
    .chain((name) => valueOf(name, known).map((value) => `${name}=${encode(value)}`));
  const raw = fc.constantFrom(
    '%',
    'a=%zz',
    'q=%ff',
    '&&',
    '=',
    'q',
    'q[]=1',
    '__proto__=1',
    '%00=1',
  );
  const parts = fc.array(fc.oneof({ weight: 12, arbitrary: pair }, raw), { maxLength: 5 });
  return parts.map((all) => (all.length === 0 ? '' : `?${all.join('&')}`));
}

function headers(known: Known): fc.Arbitrary<Record<string, string>> {
  const authorization = fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.constantFrom(...known.tokens.map((token) => `Bearer ${token}`)) },
    fc.constantFrom('Bearer', 'Bearer x', 'Bearer a b', 'Basic eDp5', 'bearer ', ''),
  );
  const accept = fc.constantFrom(undefined, undefined, 'application/problem+json', 'text/html');
  const id = fc.constantFrom(undefined, 'fuzz-1', 'not harmless', '\u00ff');
  return fc
    .record({ authorization, accept, 'x-request-id': id })
    .map((all) =>
      Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    );
}

const bodies = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .dictionary(fc.constantFrom('status', 'content', 'title', 'page', 'tags', 'x'), anyText)
    .map((fields) => Buffer.from(new URLSearchParams(fields).toString())),
  fc.constant(Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n')),
);
const types = fc.constantFrom(
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'],
  ...['multipart/form-data', 'text/plain', 'application/json; charset=gbk', 'nonsense', ''],
);

/** Requests over everything the document names, good and bad. */
export function fuzzRequests(paths: Paths, known: Known): fc.Arbitrary<FuzzRequest> {
  const templates = Object.keys(paths);
  return fc.constantFrom(...templates).chain((template) => {
    const methods = Object.keys(paths[template] ?? {}).map((method) => method.toUpperCase());
    const [operation] = Object.values(paths[template] ?? {}) as [Operation];
    const wildcards = template.match(/\{\w+\}/g) ?? [];
    return fc
      .record({
        method: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...methods) },
          fc.constantFrom(...METHODS),
        ),
        values: fc.array(segments(known), {
          minLength: wildcards.length,
          maxLength: wildcards.length,
        }),
        tail: fc.constantFrom('', '', '', '', '', '', '/', '//', '/x', '%20'),
        query: query(operation, known),
        headers: headers(known),
        type: types,
        body: bodies,
      })
      .map(({ method, values, tail, query: search, headers: given, type, body }) => {
        const left = [...values];
        const path = template.replace(/\{\w+\}/g, () => left.shift() ?? '') + tail + search;
        const reads = method === 'GET' || method === 'HEAD';
        return {
          template,
          method,
          path,
          headers: reads || body === undefined ? given : { ...given, 'content-type': type },
          ...(reads || body === undefined ? {} : { body }),
        };
      });
  });
}
