import { startHarness, type TestResponse, type Harness } from '../../harness';
import { BodiesController } from './probe.bodies';
import { probing } from './probe.module';

type Fields = Record<string, string>;
const GOOD: Fields = { title: 'a title', content: 'sixteen letters.' };

let harness: Harness;
let token: string;
beforeAll(async () => {
  harness = await startHarness({ root: probing(BodiesController) });
  token = await harness.token();
});
afterAll(() => harness.close());

const without = (name: string): Fields => {
  const { [name]: _left, ...rest } = GOOD;
  return rest;
};
const inBody = (fields: Fields): Promise<TestResponse> =>
  harness.call('/v2/probe/writes', { method: 'POST', token, body: new URLSearchParams(fields) });
const inQuery = (fields: Fields): Promise<TestResponse> =>
  harness.call(`/v2/probe/writes?${new URLSearchParams(fields).toString()}`);
const PLACES = [
  ['body', inBody],
  ['query', inQuery],
] as const;

describe.each(PLACES)('parameters of the %s', (_place, send) => {
  describe('that are absent (D5)', () => {
    it.each(['title', 'content'])('are missing when required: %s, 1002', async (name) => {
      const { status, body, headers } = await send(without(name));
      expect([status, body.code, body.msg]).toEqual([400, 1002, 'missing_args']);
      expect(headers.get('x-error-detail')).toContain(name);
    });

    it('get their default or are undefined', async () => {
      expect((await send(GOOD)).body).toEqual({ ...GOOD, status: 'wish' });
    });

    it('may be present and empty', async () => {
      const empty = { comment: '', page: '', status: '', at: '' };
      expect((await send({ ...GOOD, ...empty })).body).toEqual({ ...GOOD, status: 'wish' });
    });

    it('that are only control characters are treated as blank (D9)', async () => {
      const blank = await send({ ...GOOD, title: ' \n ' });
      const controls = await send({ ...GOOD, title: '\u0001\u0007' });
      expect(blank.status).toBe(400);
      expect([controls.status, controls.body]).toEqual([blank.status, blank.body]);
    });
  });

  describe('that are wrong return their own code, or 999 (D5)', () => {
    it.each([
      ['content', 'fifteen letter.', 6004],
      ['content', 'x'.repeat(21), 6004],
      ['comment', 'sixsix', 6010],
      ['page', '0', 6012],
      ['page', '1000000', 6012],
      ['page', '-1', 6012],
      ['page', '1.5', 6012],
      ['page', 'one', 6012],
      ['page', '1e3', 6012],
      ['page', '0x1F', 6012],
      ['page', '\uff11', 6012],
      ['status', 'reading', 999],
      ['status', 'WISH', 999],
      ['status', 'constructor', 999],
      ['at', '2013-12-25 22:09:04', 999],
      ['at', '2013-02-30T00:00:00Z', 999],
      ['at', 'yesterday', 999],
    ])('%s "%s" returns %i', async (name, value, code) => {
      const { status, body, headers } = await send({ ...GOOD, [name]: value });
      expect([status, body.code]).toEqual([400, code]);
      expect(headers.get('x-error-detail')).toMatch(new RegExp(`\\b${name}\\b`));
    });
  });

  describe('that are text are cleaned (D9)', () => {
    it.each([
      ['trimmed', ' \t\n a b \u3000\n', 'a b'],
      ['composed', 'e\u0301\u1112\u1161\u11ab', '\u00e9\ud55c'],
      ['without control characters', 'a\u0000b\u0008c\u001bd\u007fe\u0085f', 'abcdef'],
      ['with newline and tab', 'a\tb\nc', 'a\tb\nc'],
      ['with newlines of one kind', 'a\r\nb\rc', 'a\nb\nc'],
      ['as they are otherwise', '<b>\u{1f600}&amp;\u200d</b>', '<b>\u{1f600}&amp;\u200d</b>'],
    ])('%s', async (_, input, stored) => {
      expect((await send({ ...GOOD, title: input })).body.title).toBe(stored);
    });
  });

  describe('that are text are counted in code points (D9)', () => {
    it.each([
      ['sixteen letters', 'x'.repeat(16), true],
      ['fifteen letters and a space', `${'x'.repeat(15)} `, false],
      ['sixteen emoji', '\u{1f600}'.repeat(16), true],
      ['fifteen emoji', '\u{1f600}'.repeat(15), false],
      ['twenty emoji', '\u{1f600}'.repeat(20), true],
      ['twenty-one emoji', '\u{1f600}'.repeat(21), false],
      ['sixteen characters', '\u8bfb'.repeat(16), true],
      ['sixteen letters with accents of their own', 'e\u0301'.repeat(16), true],
      ['eight letters with accents of their own', 'e\u0301'.repeat(8), false],
      ['eight with accents that have no composed form', 'x\u0301'.repeat(8), true],
    ])('%s', async (_, content, fits) => {
      const { status, body } = await send({ ...GOOD, content });
      expect(status === 400 ? body.code : 'fits').toBe(fits ? 'fits' : 6004);
    });
  });
});

describe('the first error is reported', () => {
  it('in the order of declaration', async () => {
    expect((await inBody({ page: 'x' })).headers.get('x-error-detail')).toContain('title');
    const { body } = await inBody({ title: 't', content: 'short', page: 'x' });
    expect(body.code).toBe(6004);
  });
});

describe('JSON numbers that lose precision', () => {
  const inJson = (members: string): Promise<TestResponse> =>
    harness.call('/v2/probe/writes', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: `{"title":"a title","content":"sixteen letters.",${members}}`,
    });

  it.each([
    ['content', 6004],
    ['comment', 6010],
    ['page', 6012],
    ['status', 999],
    ['at', 999],
    ['title', 999],
  ])('return the code of their parameter: %s, %i', async (name, code) => {
    for (const number of ['1e400', '-1e400', '9007199254740993', '1e300']) {
      const { status, body } = await inJson(`"${name}":${number}`);
      expect([number, status, body.code]).toEqual([number, 400, code]);
    }
  });

  it('are zero when they underflow', async () => {
    expect((await inJson('"comment":1e-400')).body.comment).toBe('0');
    expect((await inJson('"page":1e-400')).body.code).toBe(6012);
  });
});
