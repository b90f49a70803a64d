import { readdir } from 'node:fs/promises';
import { Factories } from '../../factories/factories';
import { type TestResponse, type Harness } from '../../harness';
import { expectRefused } from '../books/writes';
import { send, type Parts } from '../notes/parts';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { ban } from './words';

const WORD = '狐 倉';
const WHOLE = { title: 'A day', content: 'It rained.' };

let harness: Harness & { readonly folder: string };
let token: string;
let image: Buffer;
beforeAll(async () => {
  harness = await startWithPictures();
  token = await harness.token({ userId: (await new Factories(harness.database).aUser()).id });
  image = await someJpeg();
  await ban(harness, 'refuse', '狐仓', 'grobnik');
});
afterAll(() => harness.close());

const write = (method: string, path: string, parts: Parts): Promise<TestResponse> =>
  send(harness, token, method, path, parts);
/** Everything that a write could leave behind. */
const traces = async (): Promise<unknown> => {
  const files = await readdir(harness.folder, { recursive: true, withFileTypes: true });
  const rows: unknown = await harness.source.query(
    `SELECT (SELECT json_agg(n ORDER BY n.id) FROM notes n) AS notes,
       (SELECT json_agg(r ORDER BY r.id) FROM note_replies r) AS replies,
       (SELECT count(*) FROM note_versions) AS versions, (SELECT count(*) FROM pictures) AS pictures,
       (SELECT count(*) FROM picture_uses) AS uses, (SELECT count(*) FROM moderation_queue) AS held`,
  );
  return { rows, files: files.filter((entry) => entry.isFile()).length };
};

const PICTURE = { pids: 'p_1', desc_1: 'Rain' };
const CELLS = [
  ...['title', 'content', 'desc_1'].flatMap((name) => [
    { method: 'POST', of: '/v2/notes', fields: { ...WHOLE, ...PICTURE }, name },
    { method: 'PUT', of: '', fields: { ...WHOLE, ...PICTURE }, name },
  ]),
  ...['content', 'desc_1'].map((name) => {
    return { method: 'POST', of: '', fields: { content: 'Sun.', ...PICTURE }, name };
  }),
  { method: 'POST', of: '/comments', fields: { content: 'Yes.' }, name: 'content' },
];

describe('400, 1004', () => {
  it.each(CELLS)('$method note$of with a banned word in $name stores nothing', async (cell) => {
    const { id } = (await write('POST', '/v2/notes', WHOLE)).body;
    const path = cell.of.startsWith('/v2') ? cell.of : `/v2/note/${id}${cell.of}`;
    const fields: Record<string, string> = { ...cell.fields };
    const parts: Parts = 'pids' in fields ? { ...fields, image_1: image } : fields;
    const before = await traces();
    const text = `${fields[cell.name] ?? ''} ${WORD}`;
    const response = await write(cell.method, path, { ...parts, [cell.name]: text });
    expectRefused(response, 400, 1004);
    expect(response.body.msg).toBe('has_ban_word');
    const detail = `${cell.name} contains a banned word`;
    expect(response.headers.get('x-error-detail')).toBe(detail);
    expect(await traces()).toEqual(before);
    expect((await write(cell.method, path, parts)).status).toBeLessThan(300);
  });

  it('is returned for captions under both parameter names, and of any picture', async () => {
    const parts = { ...WHOLE, pids: 'p_1,p_2', image_1: image, image_2: image, desc_1: 'fine' };
    const response = await write('POST', '/v2/notes', { ...parts, desc_p_2: 'a grobnik' });
    expectRefused(response, 400, 1004);
    expect(response.headers.get('x-error-detail')).toContain('desc_2');
  });

  it('is returned for a word that is complete only in the rendered text', async () => {
    const content = 'gro[url=http://x.test/]bnik[/url]';
    expectRefused(await write('POST', '/v2/notes', { ...WHOLE, content }), 400, 1004);
  });

  it('is returned for such a word in a long text, and the text is written without it', async () => {
    const { id } = (await write('POST', '/v2/notes', WHOLE)).body;
    const path = `/v2/note/${id}`;
    const long = (end: string): Parts => ({
      ...WHOLE,
      content: `${'It rained. '.repeat(200)}${end}[url=http://x.test/]bnik[/url]`,
    });
    expectRefused(await write('PUT', path, long('gro')), 400, 1004);
    const { status, body } = await write('PUT', path, long('a '));
    expect([status, String(body.content).slice(0, 20)]).toEqual([202, 'It rained. It rained']);
  });

  it('is not returned for words with a picture between them', async () => {
    const content = '狐<图片p_1>仓';
    const parts = { ...WHOLE, content, pids: 'p_1', image_1: image };
    expect((await write('POST', '/v2/notes', parts)).status).toBe(201);
  });

  it.each([
    ['a picture that does not exist', '狐<图片p_2>仓'],
    ['the caption of such a picture', '狐[img=2:C]仓[/img]'],
    ['a picture beside the text', '狐[img=1:L]Rain[/img]仓'],
  ])('is returned for a word that is complete only as displayed: %s', async (_, content) => {
    const parts = { ...WHOLE, pids: 'p_1', image_1: image };
    const { id } = (await write('POST', '/v2/notes', parts)).body;
    expectRefused(await write('PUT', `/v2/note/${id}`, { ...WHOLE, content }), 400, 1004);
    const innocent = { ...WHOLE, content: '狐<图片p_1>仓' };
    expect((await write('PUT', `/v2/note/${id}`, innocent)).status).toBe(202);
  });

  it('comes after errors of the parameters themselves', async () => {
    expectRefused(await write('POST', '/v2/notes', { title: 'grobnik' }), 400, 1002);
    const parts = { ...WHOLE, pids: 'p_1', desc_1: 'grobnik' };
    expectRefused(await write('POST', '/v2/notes', parts), 400, 999);
  });
});
