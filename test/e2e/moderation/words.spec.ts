import { WordsService } from '../../../src/moderation/words.service';
import { EXCERPT_SOURCE } from '../../../src/text/head';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectRefused, writer, type Fields, type Writer } from '../books/writes';
import { until } from '../process/programs';
import { ban } from './words';

const LONG = '很'.repeat(151);

let harness: Harness;
let make: Factories;
let user: Writer;
let book: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'refuse', '狐仓', 'grobnik');
});
beforeEach(async () => {
  book = await make.aBook();
});
afterAll(() => harness.close());

const rows = async (): Promise<unknown> =>
  harness.source.query(
    `SELECT (SELECT count(*) FROM collections) AS collections,
       (SELECT count(*) FROM annotations) AS annotations, (SELECT count(*) FROM reviews) AS reviews`,
  );

interface Write {
  readonly what: string;
  readonly path: () => string;
  readonly fields: Fields;
  readonly texts: readonly string[];
}

const WRITES: readonly Write[] = [
  {
    what: 'a collection',
    path: () => `/v2/book/${book}/collection`,
    fields: { status: 'read' },
    texts: ['comment', 'tags'],
  },
  {
    what: 'an annotation',
    path: () => `/v2/book/${book}/annotations`,
    fields: { content: 'An annotation that is long.', chapter: '1' },
    texts: ['content', 'chapter'],
  },
  {
    what: 'a review',
    path: () => '/v2/book/reviews',
    fields: { title: 'On it', content: LONG },
    texts: ['title', 'content'],
  },
];
const CELLS = WRITES.flatMap((write) => write.texts.map((name) => ({ ...write, name })));

describe('400, 1004', () => {
  it.each(CELLS)('POST of $what with a banned word in $name stores nothing', async (cell) => {
    const before = await rows();
    const text = `${String(cell.fields[cell.name] ?? '')} 狐 倉`;
    const response = await user.post(cell.path(), { book, ...cell.fields, [cell.name]: text });
    expectRefused(response, 400, 1004);
    expect(response.body.msg).toBe('has_ban_word');
    expect(await rows()).toEqual(before);
  });

  const LONGER = '很'.repeat(10_000);
  it.each([
    ['a picture', '狐<图片 n="9">仓'],
    ['an empty formula', '狐<tex></tex>仓'],
    ['markup of a formula', '<tex>狐{}\\text{仓}</tex>'],
    ['a color and a space of a formula', '<tex>狐\\color{red}\\!仓</tex>'],
    ['a comment of a formula', '<tex>狐%\n仓</tex>'],
    ['a box of a formula', '<tex>狐\\colorbox{white}{\\text{仓}}</tex>'],
    ['a color by numbers', '<tex>狐\\color[rgb]{0,0,0}仓</tex>'],
    ['a matrix', '<tex>狐\\begin{matrix}仓\\end{matrix}</tex>'],
    ['a kern', '<tex>\\text{gro}\\kern0pt\\text{bnik}</tex>'],
    ['a character by its code', '<tex>\\char"72D0仓</tex>'],
    ['markup that is cut in excerpts', `<原文开始>狐<tex>仓${LONGER}</原文结束></tex>`],
    ['markup that is cut in lists', `<代码开始>狐<tex></tex>仓${LONGER}</代码结束>`],
  ])('is returned for a word that is complete only as displayed: %s', async (_, word) => {
    for (const { what, path, fields, texts } of WRITES) {
      if (what.endsWith('collection')) continue;
      const before = await rows();
      const name = texts.find((one) => one === 'content') as string;
      const content = `${word} ${LONG}`;
      expectRefused(await user.post(path(), { ...fields, book, [name]: content }), 400, 1004);
      expect(await rows()).toEqual(before);
    }
  });

  it('is not returned for the part of a word at the end of the beginning of a text', async () => {
    const content = `<tex>x</tex>${'很'.repeat(EXCERPT_SOURCE)}`.slice(0, EXCERPT_SOURCE - 8);
    const innocent = { book, title: 'On it', content: `${content} grobniks are animals. ${LONG}` };
    expect((await user.post('/v2/book/reviews', innocent)).status).toBe(201);
  });

  it('is not returned for characters on two lines of a text with markup', async () => {
    const content = `${LONG} <tex>x</tex> 狐\n仓`;
    const { status } = await user.post('/v2/book/reviews', { book, title: 'On it', content });
    expect(status).toBe(201);
  });

  it('is not returned for tags that are too long: 999', async () => {
    const tags = `${'a '.repeat(2500)}grobnik`;
    const response = await user.post(`/v2/book/${book}/collection`, { status: 'read', tags });
    expectRefused(response, 400, 999);
  });

  it.each(WRITES)('PUT of $what with a banned word changes nothing', async (write) => {
    const made = await user.post(write.path(), { book, ...write.fields });
    expect(made.status).toBe(201);
    const [path] = {
      'a collection': [write.path()],
      'an annotation': [`/v2/book/annotation/${made.body.id}`],
      'a review': [`/v2/book/review/${made.body.id}`],
    }[write.what] as [string];
    const [name = ''] = write.texts;
    const text = `${String(write.fields[name] ?? '')} GROBNIK`;
    expectRefused(await user.put(path, { ...write.fields, [name]: text }), 400, 1004);
    const again = await user.put(path, { ...write.fields });
    expect([again.status, again.body[name]]).toEqual([202, made.body[name]]);
  });

  it('X-Error-Detail names the parameter and not the word', async () => {
    const response = await user.post(`/v2/book/${book}/collection`, {
      status: 'read',
      comment: 'a grobnik',
    });
    expect(response.headers.get('x-error-detail')).toBe('comment contains a banned word');
  });

  it('is returned for JSON and multipart bodies, too', async () => {
    const token = await harness.token({ userId: user.id });
    const path = `/v2/book/${book}/collection`;
    const json = JSON.stringify({ status: 'read', comment: 'grobnik' });
    const headers = { 'content-type': 'application/json' };
    expectRefused(
      await harness.call(path, { method: 'POST', token, headers, body: json }),
      400,
      1004,
    );
    const body = new FormData();
    body.append('status', 'read');
    body.append('tags', '小说 狐 仓');
    expectRefused(await harness.call(path, { method: 'POST', token, body }), 400, 1004);
  });

  it('comes after errors of the parameters themselves', async () => {
    const comment = `grobnik ${'a'.repeat(350)}`;
    const path = `/v2/book/${book}/collection`;
    expectRefused(await user.post(path, { status: 'read', comment }), 400, 6010);
    expectRefused(await user.post(path, { comment: 'grobnik' }), 400, 1002);
  });

  it('is returned again for a retry with an Idempotency-Key', async () => {
    const path = `/v2/book/${book}/collection`;
    const headers = { 'idempotency-key': 'one' };
    for (let time = 0; time < 2; time += 1) {
      const response = await user.post(path, { status: 'read', comment: 'grobnik' }, headers);
      expectRefused(response, 400, 1004);
    }
    expect((await user.post(path, { status: 'read', comment: 'a book' })).status).toBe(201);
  });
});

describe('the list of banned words', () => {
  const words = () => harness.app.get(WordsService, { strict: false });
  const comment = async (text: string): Promise<number> =>
    (await user.put(`/v2/book/${book}/collection`, { status: 'read', comment: text })).status;
  beforeEach(() => user.post(`/v2/book/${book}/collection`, { status: 'wish' }));

  it('is reloaded by running servers when it changes', async () => {
    expect(await comment('a zarfel')).toBe(202);
    await words().addWords(['zarfel'], 'refuse', 'test');
    await until(async () => (await comment('a zarfel')) === 400);
    expect(await words().deleteWords(['ＺＡＲＦＥＬ'])).toBe(1);
    await until(async () => (await comment('a zarfel')) === 202);
  });

  it('has each word once in any spelling, with the latest action', async () => {
    expect(await words().addWords(['云间', '雲 間', 'Yondo'], 'refuse', 'test')).toEqual({
      added: 2,
      changed: 0,
      unchanged: 1,
    });
    expect(await words().addWords(['yondo', '雲間', 'new one'], 'hold', 'test')).toEqual({
      added: 1,
      changed: 2,
      unchanged: 0,
    });
    const page = await words().list({ start: 0, count: 10 }, 'hold');
    expect(new Set(page.items.map(({ word }) => word))).toEqual(
      new Set(['云间', 'Yondo', 'new one']),
    );
    expect(page.total).toBe(3);
    expect(await words().deleteWords(['云间', 'YONDO', 'new one', 'unknown'])).toBe(3);
  });

  it('is imported from a file by line; an invalid line is reported and nothing is imported', async () => {
    const before = (await words().list({ start: 0, count: 100 })).total;
    await expect(words().addLines('甲乙\n\n***\n丙丁', 'refuse', 'test')).rejects.toThrow(
      /^line 3/,
    );
    expect((await words().list({ start: 0, count: 100 })).total).toBe(before);
    const added = await words().addLines('\ufeff甲乙\r\n\r\n 丙丁 \n', 'refuse', 'test');
    expect(added).toEqual({ added: 2, changed: 0, unchanged: 0 });
    expect(await words().deleteWords(['甲乙', '丙丁'])).toBe(2);
  });

  it.each(['', '*', 'a', 'x'.repeat(101), '\u0000'])('rejects %p', async (word) => {
    await expect(words().addWords([word], 'refuse', 'test')).rejects.toThrow('word');
  });
});
