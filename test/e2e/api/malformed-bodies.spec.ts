import { startHarness, type CallOptions, type Harness } from '../../harness';
import { BodiesController } from './probe.bodies';
import { probing } from './probe.module';

const LIMIT = 2048;
const LONG = 'x'.repeat(LIMIT);
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';

const typed = (type: string, body: string | Buffer): CallOptions => ({
  headers: { 'content-type': type },
  body,
});
const multipart = (...parts: [name: string, value: string][]): CallOptions => {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  return { body };
};
const part = (text: string) => `--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n${text}`;

const latin = (text: string) => Buffer.from(part(`${text}\r\n--b--\r\n`), 'latin1');
const charset = (name: string) =>
  `--b\r\nContent-Disposition: form-data; name="note"\r\nContent-Type: text/plain; charset=${name}\r\n\r\na\r\n--b--\r\n`;

const UNREADABLE: readonly (readonly [string, CallOptions])[] = [
  ['JSON that is cut off', typed(JSON_TYPE, '{"note":"a')],
  ['JSON that is none', typed(JSON_TYPE, 'note=a')],
  ['a JSON list', typed(JSON_TYPE, '[{"note":"a"}]')],
  ['a JSON text', typed(JSON_TYPE, '"note"')],
  ['a JSON number', typed(JSON_TYPE, '5')],
  ['JSON null', typed(JSON_TYPE, 'null')],
  ['JSON in GBK', typed(`${JSON_TYPE}; charset=gbk`, '{"note":"a"}')],
  ['JSON in UTF-16', typed(`${JSON_TYPE}; charset=utf-16`, Buffer.from('{}', 'utf16le'))],
  ['JSON in an unknown charset', typed(`${JSON_TYPE}; charset=klingon`, '{}')],
  ['a form in Latin-1', typed(`${FORM_TYPE}; charset=iso-8859-1`, 'note=a')],
  ['a form in GBK', typed(`${FORM_TYPE}; charset="GBK"`, 'note=a')],
  ['multipart without a boundary', typed('multipart/form-data', part('a\r\n--b--\r\n'))],
  ['multipart that is cut off', typed(MULTIPART, part('a'))],
  ['multipart with another boundary', typed('multipart/form-data; boundary=c', part('a'))],
  ['multipart whose part has no name', typed(MULTIPART, '--b\r\n\r\na\r\n--b--\r\n')],
  [
    'multipart whose part has a name that cannot be read',
    typed(
      MULTIPART,
      `${part('a')}\r\n--b\r\nContent-Disposition: form-data; name="1"; ` +
        `filename*=utf-8''%ff%zz.png\r\n\r\nx\r\n--b--\r\n`,
    ),
  ],
  ['multipart whose part is no UTF-8', typed(MULTIPART, latin('\xff'))],
  ['multipart whose part is in GBK', typed(MULTIPART, charset('gbk'))],
  ['multipart whose part is in an unknown charset', typed(MULTIPART, charset('klingon'))],
  ...['note[1]', 'note[4294967294]', 'note[a]', 'note[__proto__]', 'note[a][b]', '[[['].map(
    (name) => [`multipart whose part is named ${name}`, multipart([name, 'a'])] as const,
  ),
  ['multipart whose part has a name of 201 bytes', multipart(['n'.repeat(201), 'a'])],
  [
    'multipart with a boundary of 71 characters',
    typed(
      `multipart/form-data; boundary=${'b'.repeat(71)}`,
      part('a\r\n--b--\r\n').replaceAll('--b', `--${'b'.repeat(71)}`),
    ),
  ],
  ['JSON that is nested deep', typed(JSON_TYPE, `{"note":${'['.repeat(900)}${']'.repeat(900)}}`)],
  ['plain text', typed('text/plain', 'note=a')],
  ['XML', typed('application/xml', '<note>a</note>')],
  ['a type that is none', typed('nonsense', 'note=a')],
  [
    'an unknown Content-Encoding',
    {
      headers: { 'content-type': FORM_TYPE, 'content-encoding': 'zebra' },
      body: 'note=a',
    },
  ],
  [
    'a Content-Encoding that is not true',
    {
      headers: { 'content-type': FORM_TYPE, 'content-encoding': 'gzip' },
      body: 'note=a',
    },
  ],
];

const TOO_LARGE: readonly (readonly [string, CallOptions])[] = [
  ['a form', typed(FORM_TYPE, `note=${LONG}`)],
  ['JSON', typed(JSON_TYPE, JSON.stringify({ note: LONG }))],
  ['multipart with one long part', multipart(['note', `${LONG}x`])],
  [
    'multipart that is long in sum',
    multipart(...[1, 2, 3, 4].map((n): [string, string] => [`part${n}`, LONG.slice(0, LIMIT / 2)])),
  ],
];

describe('malformed bodies (D5)', () => {
  let harness: Harness;
  let token: string;
  beforeAll(async () => {
    harness = await startHarness({
      root: probing(BodiesController),
      settings: { MAX_BODY_BYTES: String(LIMIT) },
    });
    token = await harness.token();
  });
  afterAll(() => harness.close());

  const post = (options: CallOptions) =>
    harness.call('/v2/probe/loose', { method: 'POST', token, ...options });
  const ERROR = { msg: 'unknow_v2_error', code: 999, request: 'POST /v2/probe/loose' };

  it.each(UNREADABLE)('%s: 400, code 999', async (_, options) => {
    const { status, body, headers } = await post(options);
    expect(body).toEqual(ERROR);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-error-detail')).toMatch(/^[\x20-\x7e]+$/);
  });

  it.each(TOO_LARGE)(
    '%s beyond the body size limit: 400, code 999, not 413',
    async (_, options) => {
      const { status, body } = await post(options);
      expect(body).toEqual(ERROR);
      expect(status).toBe(400);
    },
  );

  it('a body of exactly the maximum size is accepted', async () => {
    const note = 'x'.repeat(LIMIT - 'note='.length);
    const { status, body } = await post(typed(FORM_TYPE, `note=${note}`));
    expect([status, body.note]).toEqual([200, note]);
  });

  it.each([...UNREADABLE, ...TOO_LARGE])(
    'the body is not read for callers that may not write: %s',
    async (_, options) => {
      const path = '/v2/probe/loose';
      const { status, body } = await harness.call(path, { method: 'POST', ...options });
      expect([status, body.code]).toEqual([403, 1000]);
    },
  );

  it('later requests are served', async () => {
    const { status, body } = await post(typed(FORM_TYPE, 'note=fine'));
    expect([status, body]).toEqual([200, { note: 'fine' }]);
  });
});
