import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { statementsOf, walk, type List } from '../guarantees';
import { membersOf } from '../books/shapes';
import { expectRefused, writer, type Writer } from '../books/writes';
import { errorOf, NO_NOTES, NOT_FOUND, NOTE_MEMBERS } from './parts';

let harness: Harness;
let make: Factories;
let user: Writer;
let token: string;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser({ name: '作者' })).id);
  token = await harness.token({ userId: user.id });
});
afterAll(() => harness.close());

const write = async (content: string): Promise<string> =>
  `/v2/note/${(await user.post('/v2/notes', { title: 't', content })).body.id}`;

describe('GET /v2/note/:id', () => {
  const LONG = `第一句话。${'很长的一句话，'.repeat(40)}完。`;

  it('200: has text with BBCode-like marks by default', async () => {
    const path = await write(
      '见 <a href="http://a.b/?x&amp;y">这里</a>，或 http://c.d 。[img=3:L]图[/img]',
    );
    const text =
      '见 [url=http://a.b/?x&y]这里[/url]，或 [url=http://c.d][/url] 。[img=3:L]图[/img]';
    for (const query of ['', '?format=', '?format=text']) {
      const { status, body } = await user.get(path + query);
      expect([status, body.content]).toEqual([200, text]);
    }
  });

  it('200: has the four formats of section 4.2', async () => {
    const path = await write(`a <b>\n<a href="http://a.b">t</a> ${LONG}`);
    const at = async (format: string) => (await user.get(`${path}?format=${format}`)).body.content;
    const link = '<a href="http://a.b" rel="nofollow noopener">t</a>';
    expect(await at('html_full')).toBe(`a &lt;b&gt;<br>${link} ${LONG}`);
    const short = await at('html_short');
    expect(short.startsWith(`a &lt;b&gt;<br>${link} 第一句话。`)).toBe(true);
    expect(short.endsWith('…')).toBe(true);
    const abstract = await at('abstract');
    expect(abstract.startsWith('a <b> t 第一句话。')).toBe(true);
    expect(abstract.endsWith('…')).toBe(true);
    expect([...abstract].length).toBeLessThanOrEqual(200);
    const { summary } = (await user.get(path)).body;
    expect([...summary].length).toBeLessThanOrEqual(140);
    expect(abstract.startsWith(summary.slice(0, -1))).toBe(true);
  });

  it('400 999 for an unknown format; 400 1006 for an unknown note', async () => {
    expectRefused(await user.get(`${await write('x')}?format=html`), 400, 999);
    for (const id of NO_NOTES) {
      expect(errorOf(await user.get(`/v2/note/${id}`))).toEqual(NOT_FOUND);
    }
  });

  it('404 1001 for an id that is not a number', async () => {
    for (const id of ['x', '1x', '-1', '1.0']) {
      expectRefused(await user.get(`/v2/note/${id}`), 404, 1001);
    }
  });

  it('returns an imported note whose author is unknown', async () => {
    const open = await make.aNote({ id: 77 });
    await harness.source.query('UPDATE notes SET user_id = NULL WHERE id = $1', [open.id]);
    expect((await user.get('/v2/note/77')).status).toBe(200);
    await harness.source.query(`UPDATE notes SET privacy = 'private' WHERE id = 77`);
    expectRefused(await user.get('/v2/note/77'), 403, 1000);
    expectRefused(await user.get('/v2/note/77/comments'), 403, 1000);
    expectRefused(await user.remove('/v2/note/77'), 403, 1000);
  });

  it('returns 1006 for a placeholder that only has imported replies', async () => {
    await make.aReply(78);
    for (const path of ['/v2/note/78', '/v2/note/78/comments']) {
      expect(errorOf(await user.get(path))).toEqual(NOT_FOUND);
    }
    expect(errorOf(await user.post('/v2/note/78/like'))).toEqual(NOT_FOUND);
  });

  it('runs one statement', async () => {
    const path = await write('x');
    const { names } = await statementsOf(harness, path, token);
    expect(names).toEqual(['oauth.token', 'notes.by_id']);
  });
});

describe('GET /v2/note/user_created/:id', () => {
  let author: number;
  beforeAll(async () => {
    author = (await make.aUser({ name: '多产' })).id;
    for (let at = 0; at < 103; at += 1) {
      const day = `2014-01-${String((at % 28) + 1).padStart(2, '0')} 10:00:00`;
      await make.aNote({ author_id: author, publish_time: day, content: `<b>${at}` });
    }
  });
  const path = () => `/v2/note/user_created/${author}`;
  const list = (): List => ({ harness, path: path(), member: 'notes', total: 103, token });

  it('200: is {start, count, total, notes, user}, newest first (D29)', async () => {
    const { status, body } = await user.get(`${path()}?count=100`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['start', 'count', 'total', 'notes', 'user']);
    expect(body).toMatchObject({ start: 0, count: 100, total: 103 });
    expect(membersOf(body.notes[0])).toEqual(NOTE_MEMBERS);
    expect(body.user).toMatchObject({ id: String(author), name: '多产', signature: '' });
    const keys = (body.notes as { publish_time: string; id: string }[]).map(
      (note) => `${note.publish_time} ${note.id.padStart(12, '0')}`,
    );
    expect(keys).toEqual([...keys].sort().reverse());
  });

  it('has its elements in the requested format', async () => {
    const { body } = await user.get(`${path()}?format=html_full&count=1`);
    expect(body.notes[0].content).toMatch(/^&lt;b&gt;\d+$/);
    expectRefused(await user.get(`${path()}?format=x`), 400, 999);
  });

  it('is empty for a user without notes', async () => {
    const { id } = await make.aUser();
    const { status, body } = await user.get(`/v2/note/user_created/${id}`);
    expect([status, body.total, body.notes]).toEqual([200, 0, []]);
    expect(body.user.id).toBe(String(id));
  });

  it('400 1006 for an unknown user; 404 1001 for a uid', async () => {
    for (const id of NO_NOTES) {
      expect(errorOf(await user.get(`/v2/note/user_created/${id}`))).toEqual(NOT_FOUND);
    }
    expectRefused(await user.get('/v2/note/user_created/reader'), 404, 1001);
  });

  it('runs one statement for any number of notes', async () => {
    for (const query of ['count=1', 'count=100', 'start=500']) {
      const { names } = await statementsOf(harness, `${path()}?${query}`, token);
      expect(names).toEqual(['oauth.token', 'notes.of_user']);
    }
  });

  itIsWalked(list);
  itRefusesPages(list);
});

describe('GET /v2/note/:id/comments in pages', () => {
  let note: number;
  beforeAll(async () => {
    note = (await make.aNote()).id;
    const { id } = await make.aUser();
    for (let at = 0; at < 103; at += 1) await make.aReply(note, { author_id: id });
  });
  const list = (): List => ({
    harness,
    path: `/v2/note/${note}/comments`,
    member: 'comments',
    total: 103,
    token,
  });
  itIsWalked(list);
  itRefusesPages(list);
});

/** Valid `start` and `count` (D2, D3). */
function itIsWalked(of: () => Omit<List, 'total'> & { total: number }): void {
  it('has every element on exactly one page', async () => {
    const list = of();
    const elements = (await walk(list, 20)).map(({ id }) => String(id));
    expect(elements).toHaveLength(list.total);
    expect(new Set(elements).size).toBe(list.total);
  });
  it.each([
    ['', 20],
    ['start=&count=', 20],
    ['count=0', 0],
    ['count=500', 100],
    ['start=100', 3],
    ['start=9007199254740991', 0],
  ])('"%s" returns %d of them, and the correct total', async (query, count) => {
    const { path, member, total } = of();
    const { status, body } = await user.get(`${path}?${query}`);
    expect([status, body.count, body.total]).toEqual([200, count, total]);
    expect(body[member]).toHaveLength(count);
  });
}

/** Malformed `start` and `count`, with a token. */
function itRefusesPages(of: () => List): void {
  it.each(['start=-1', 'count=x', 'count=1.5', 'start=1&start=2'])('rejects %s', async (query) => {
    expectRefused(await user.get(`${of().path}?${query}`), 400, 999);
  });
}
