import { NOTE_ENDPOINTS } from '../contract/note-endpoints';
import { NOTE, REPLY } from '../contract/note-shapes';
import { SIMPLE_USER } from '../contract/book-shapes';
import { unique } from './client';
import { expectError, expectList, expectShape, itCallsAll } from './expectations';
import { NO_PICTURES, openPicture, somePicture } from './pictures';
import { ROUTES } from './routes';
import { Stage, USUAL_SCOPES, type Fields, type Member } from './stage';

const word = unique();
const LINK = 'https://links.example/here';

const stage = new Stage();
let author: Member;
let other: Member;
beforeAll(async () => {
  [author, other] = await stage.twoMembers();
});
afterAll(() => stage.close());

const create = (fields: Fields = {}, by = author) =>
  by.send('POST', '/v2/notes', { title: `Title ${word}`, content: 'Some text.', ...fields });
const at = (id: string, below = ''): string => `/v2/note/${id}${below}`;
/** Creates a note that is deleted at the end of the file. */
async function made(fields: Fields = {}) {
  const body = expectShape(await create(fields), 201, NOTE);
  stage.atEnd(() => author.send('DELETE', at(body.id)));
  return body;
}

describe('notes', () => {
  it('201, 200, 202: a note is created, read in every format, updated and deleted', async () => {
    const content = `Go <a href="${LINK}">there</a>.`;
    const body = expectShape(await create({ content }), 201, NOTE);
    expect(body).toMatchObject({
      title: `Title ${word}`,
      content: `Go [url=${LINK}]there[/url].`,
      privacy: 'public',
      can_reply: true,
      photos: {},
      comments_count: 0,
      liked_count: 0,
    });
    const path = at(body.id);
    const read = async (format: string) =>
      expectShape(await other.get(`${path}?format=${format}`), 200, NOTE).content;
    expect(expectShape(await other.get(path), 200, NOTE)).toEqual(body);
    expect(await read('text')).toBe(body.content);
    for (const format of ['html_full', 'html_short']) {
      expect(await read(format)).toContain(`href="${LINK}"`);
    }
    expect(await read('abstract')).toBe('Go there.');
    expectError(await other.get(`${path}?format=bbcode`), 400, 999);
    const fields = { title: 'Another', content: 'Else.', can_reply: 'false', privacy: 'private' };
    expectError(await other.send('PUT', path, fields), 403, 1000);
    const changed = expectShape(await author.send('PUT', path, fields), 202, NOTE);
    expect(changed).toMatchObject({ ...fields, id: body.id, can_reply: false });
    expectError(await other.send('DELETE', path), 403, 1000);
    const gone = await author.send('DELETE', path);
    expect([gone.status, gone.body]).toEqual([200, {}]);
    expectError(await author.get(path), 400, 1006);
    expectError(await author.send('PUT', path, fields), 400, 1006);
  });

  // Friends are made by the command line alone, so `friend` is seen from outside only.
  it('200, 403: lists have the notes that the caller may see (D29)', async () => {
    const open = await made();
    const hidden = await made({ privacy: 'private' });
    const friends = await made({ privacy: 'friend' });
    const list = async (by: Member): Promise<string[]> => {
      const path = `/v2/note/user_created/${author.id}?format=abstract`;
      const notes = expectList(await by.get(path), 'notes', NOTE, { user: SIMPLE_USER });
      return notes.map(({ id }) => id as string);
    };
    expect(await list(other)).toEqual([open.id]);
    expect((await list(author)).sort()).toEqual([open.id, hidden.id, friends.id].sort());
    for (const { id } of [hidden, friends]) {
      expectError(await other.get(at(id)), 403, 1000);
      expectShape(await author.get(at(id)), 200, NOTE);
    }
    expectError(await author.get('/v2/note/user_created/999999999999'), 400, 1006);
    expectList(await author.get(`/v2/note/user_liked/${author.id}`), 'notes', NOTE, {
      user: SIMPLE_USER,
    });
  });

  it.each<[string, Fields, number]>([
    ['a blank title', { title: ' ' }, 1012],
    ['a blank content', { content: ' ' }, 1013],
    ['another privacy', { privacy: 'secret' }, 999],
    ['an empty privacy', { privacy: '' }, 999],
    ['another can_reply', { can_reply: 'maybe' }, 999],
    ['a picture that is missing', { pids: 'p_1' }, 999],
    ['four pictures', { pids: 'p_1,p_2,p_3,p_4' }, 999],
  ])('400: rejects %s', async (_what, fields, code) => {
    expectError(await create(fields), 400, code);
  });

  it('400: title, content and pictures are required (1002)', async () => {
    const { id } = await made();
    const lacking: [string, string, Fields][] = [
      ['POST', '/v2/notes', { content: 'x' }],
      ['POST', '/v2/notes', { title: 'x' }],
      ['PUT', at(id), { title: 'x' }],
      ['POST', at(id), { content: 'x' }],
      ['POST', at(id, '/comments'), { more: 'x' }],
    ];
    for (const [method, path, fields] of lacking) {
      expectError(await author.send(method, path, fields), 400, 1002);
    }
  });

  it('200: repeated likes of a user count once (D30)', async () => {
    const { id } = await made();
    const likes = async (): Promise<number> => (await author.get(at(id))).body.liked_count;
    for (const [method, count] of [
      ['POST', 1],
      ['POST', 1],
      ['DELETE', 0],
      ['DELETE', 0],
    ] as const) {
      const response = await other.send(method, at(id, '/like'));
      expect([response.status, response.body, await likes()]).toEqual([200, {}, count]);
    }
  });
});

describe('replies', () => {
  it('201, 200: replies are created, listed and read; their author or that of the note deletes them (D30)', async () => {
    const { id } = await made();
    const reply = async (by: Member) =>
      expectShape(await by.send('POST', at(id, '/comments'), { content: 'Yes!' }), 201, REPLY);
    const [one, two] = [await reply(other), await reply(author)];
    expect(one).toMatchObject({ content: 'Yes!', author: { id: other.id, uid: other.uid } });
    const all = expectList(await other.get(at(id, '/comments')), 'comments', REPLY);
    expect(all).toEqual([one, two]);
    const single = (reply: { id: string }): string => at(id, `/comment/${reply.id}`);
    expect(expectShape(await author.get(single(one)), 200, REPLY)).toEqual(one);
    expect((await author.get(at(id))).body.comments_count).toBe(2);
    expectError(await other.send('DELETE', single(two)), 403, 1000);
    for (const each of [one, two]) {
      const gone = await author.send('DELETE', single(each));
      expect([gone.status, gone.body]).toEqual([200, {}]);
    }
    expectError(await author.get(single(one)), 400, 1006);
    expectError(await other.send('POST', at(id, '/comments'), { content: ' ' }), 400, 1005);
    const { id: closed } = await made({ can_reply: 'false' });
    expectError(await other.send('POST', at(closed, '/comments'), { content: 'x' }), 403, 1000);
  });
});

describe('pictures of notes', () => {
  it('201, 202: pictures are placed by the content or at its end, with layout and caption', async () => {
    const body = await made({
      content: 'Before <图片 p_1=""> after',
      pids: 'p_1',
      image_1: await somePicture(),
      layout_1: 'L',
      desc_1: 'Caption',
    });
    expect(body.content).toBe('Before [img=1:L]Caption[/img] after');
    const picture = await openPicture(stage.service, body.photos['1']);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const more = { pids: 'p_2', image_2: await somePicture() };
    const put = expectShape(await author.send('POST', at(body.id), more), 202, NOTE);
    expect(put.content).toBe(`${body.content}\n[img=2:C][/img]`);
    expect(put.photos).toEqual({ ...body.photos, '2': expect.any(String) });
    const again = { pids: 'p_2', image_2: await somePicture() };
    expectError(await author.send('POST', at(body.id), again), 400, 999);
    expectError(await other.send('POST', at(body.id), again), 403, 1000);
  });

  it('403: pictures of a private note require a signed address (1010)', async () => {
    const image_1 = await somePicture();
    const { photos } = await made({ pids: 'p_1', image_1, privacy: 'private' });
    expect((await openPicture(stage.service, photos['1'])).status).toBe(200);
    expectError(await stage.service.call(new URL(photos['1']).pathname), 403, 1010);
  });

  it.each(NO_PICTURES)('400: %s is rejected, and nothing is stored', async (_what, bytes, code) => {
    const title = unique();
    expectError(await create({ title, pids: 'p_1', image_1: bytes }), 400, code);
    const { text } = await author.get(`/v2/note/user_created/${author.id}?count=100`);
    expect(text).not.toContain(title);
  });
});

describe('every endpoint of notes', () => {
  const ANY = { path: '/v2/note/:id' };
  const path = (row: { path: string }): string => row.path.replaceAll(':id', '999999999999');

  it('400: rejects unknown notes (1006)', async () => {
    for (const row of NOTE_ENDPOINTS.filter((one) => one.path.includes(':id'))) {
      const fields = { title: 't', content: 'c', pids: 'p_1', image_1: await somePicture() };
      const sent = row.method === 'POST' || row.method === 'PUT' ? fields : undefined;
      expectError(await author.send(row.method, path(row), sent), 400, 1006);
    }
  });

  it('403, 404: requires a user, the scope (1000) and an approved application (1001)', async () => {
    const client = await stage.approved(author, []);
    const scope = 'community_basic_note';
    const others = USUAL_SCOPES.filter((one) => one !== scope);
    const without = await stage.member(other, client, others);
    const suspended = await stage.member(author, client);
    const at = `/applications/${client.clientId}/suspend`;
    await stage.service.admin('POST', at, { scopes: [scope], reason: 'r' });
    await stage.service.until(async () => (await suspended.get(path(ANY))).status === 404);
    for (const row of NOTE_ENDPOINTS) {
      expectError(await stage.nobody(row.method, path(row)), 403, 1000);
      expectError(await without.send(row.method, path(row)), 403, 1000);
      expectError(await suspended.send(row.method, path(row)), 404, 1001);
    }
  });
});

itCallsAll(ROUTES.notes, stage.service);
