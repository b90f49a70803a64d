import { Factories } from '../../factories/factories';
import { type Harness } from '../../harness';
import { startWithPictures, someJpeg } from '../pictures/pictures';
import { send } from './parts';

const PRIVACIES = ['public', 'friend', 'private'] as const;
type Privacy = (typeof PRIVACIES)[number];
const PEOPLE = ['author', 'friend', 'stranger', 'nobody'] as const;
type Person = (typeof PEOPLE)[number];
/** Status, with the code of an error. */
type Cell = number | readonly [status: number, code: number];

const NO = [403, 1000] as const;

/** Responses of a route to users, by privacy; nobody in particular gets 1000 from every row. */
interface Row {
  readonly name: string;
  readonly method: string;
  readonly path: (note: string, reply: string, author: number) => string;
  readonly body?: Readonly<Record<string, string>>;
  readonly picture?: boolean;
  readonly cells: Readonly<Record<Privacy, readonly [author: Cell, friend: Cell, stranger: Cell]>>;
}

const seen = (cell: Cell) =>
  ({
    public: [cell, cell, cell],
    friend: [cell, cell, NO],
    private: [cell, NO, NO],
  }) as const;
const own = (cell: Cell) =>
  ({ public: [cell, NO, NO], friend: [cell, NO, NO], private: [cell, NO, NO] }) as const;
const always = (cell: Cell) =>
  ({
    public: [cell, cell, cell],
    friend: [cell, cell, cell],
    private: [cell, cell, cell],
  }) as const;

const WHOLE = { title: 't', content: 'c' };

const ROWS: readonly Row[] = [
  { name: 'create', method: 'POST', path: () => '/v2/notes', body: WHOLE, cells: always(201) },
  { name: 'read', method: 'GET', path: (note) => note, cells: seen(200) },
  {
    name: "list a user's",
    method: 'GET',
    path: (_note, _reply, author) => `/v2/note/user_created/${author}`,
    cells: always(200),
  },
  { name: 'like', method: 'POST', path: (note) => `${note}/like`, cells: seen(200) },
  { name: 'unlike', method: 'DELETE', path: (note) => `${note}/like`, cells: seen(200) },
  { name: 'list replies', method: 'GET', path: (note) => `${note}/comments`, cells: seen(200) },
  {
    name: 'reply',
    method: 'POST',
    path: (note) => `${note}/comments`,
    body: { content: 'r' },
    cells: seen(201),
  },
  {
    name: 'read a reply',
    method: 'GET',
    path: (note, reply) => `${note}/comment/${reply}`,
    cells: seen(200),
  },
  {
    name: "delete the friend's reply",
    method: 'DELETE',
    path: (note, reply) => `${note}/comment/${reply}`,
    cells: { public: [200, 200, NO], friend: [200, 200, NO], private: [200, NO, NO] },
  },
  {
    name: 'add a picture',
    method: 'POST',
    path: (note) => note,
    body: { pids: 'p_2' },
    picture: true,
    cells: own(202),
  },
  { name: 'edit', method: 'PUT', path: (note) => note, body: WHOLE, cells: own(202) },
  { name: 'delete', method: 'DELETE', path: (note) => note, cells: own(200) },
];

let harness: Harness;
let make: Factories;
const ids = {} as Record<Exclude<Person, 'nobody'>, number>;
const tokens = {} as Record<Person, string | undefined>;
beforeAll(async () => {
  harness = await startWithPictures();
  make = new Factories(harness.database);
  for (const person of ['author', 'friend', 'stranger'] as const) {
    ids[person] = (await make.aUser()).id;
    tokens[person] = await harness.token({ userId: ids[person] });
  }
  await make.friends(ids.friend, ids.author);
  // Friends of friends are strangers.
  await make.friends(ids.friend, ids.stranger);
});
afterAll(() => harness.close());

/** A note of the author, with a picture and a reply of the friend; their paths. */
async function aNote(privacy: Privacy): Promise<{ note: string; reply: string; photo: string }> {
  const parts = { ...WHOLE, privacy, pids: 'p_1', image_1: await someJpeg() };
  const { body } = await send(harness, String(tokens.author), 'POST', '/v2/notes', parts);
  const reply = await make.aReply(Number(body.id), { author_id: ids.friend });
  return { note: `/v2/note/${body.id}`, reply: String(reply), photo: body.photos['1'] };
}

const cellOf = ({ status, body }: { status: number; body: { code?: number } }): Cell =>
  status < 400 ? status : [status, body.code ?? 0];

describe.each(PRIVACIES)('a %s note', (privacy) => {
  it.each(ROWS)('$name ($method)', async (row) => {
    const responses: Record<string, Cell> = {};
    const [author, friend, stranger] = row.cells[privacy];
    for (const person of PEOPLE) {
      const { note, reply } = await aNote(privacy);
      const path = row.path(note, reply, ids.author);
      const token = tokens[person];
      const parts = { ...row.body, ...(row.picture ? { image_2: await someJpeg() } : {}) };
      const hasBody = row.body !== undefined && token !== undefined;
      const response = hasBody
        ? await send(harness, token, row.method, path, parts)
        : await harness.call(path, { method: row.method, token });
      responses[person] = cellOf(response);
      if (response.status < 400) continue;
      // Rejected requests changed nothing.
      const { body } = await harness.call(note, { token: tokens.author });
      expect(body).toMatchObject({
        comments_count: 1,
        liked_count: 0,
        content: 'c\n[img=1:C][/img]',
      });
    }
    expect(responses).toEqual({ author, friend, stranger, nobody: NO });
  });

  it('has a picture at an unsigned address exactly when the note is public', async () => {
    const { photo } = await aNote(privacy);
    const path = photo.replace('http://api.test', '');
    const bare = path.replace(/\?.*$/, '');
    for (const person of PEOPLE) {
      const { status } = await harness.call(bare, { token: tokens[person] });
      expect([person, status]).toEqual([person, privacy === 'public' ? 200 : 403]);
      expect((await harness.call(path, { token: tokens[person] })).status).toBe(200);
    }
    expect(path === bare).toBe(privacy === 'public');
  });
});

it('is counted and listed for exactly those who can see it', async () => {
  const { id } = await make.aUser();
  for (const privacy of [...PRIVACIES, 'friend', 'private', 'private']) {
    await make.aNote({ author_id: id, privacy });
  }
  await make.friends(id, ids.friend);
  const totals: Record<string, unknown> = {};
  const of = { ...tokens, nobody: await harness.token({ userId: id }) };
  for (const person of PEOPLE) {
    const { body } = await harness.call(`/v2/note/user_created/${id}`, { token: of[person] });
    const privacies = (body.notes as { privacy: string }[]).map(({ privacy }) => privacy).sort();
    totals[person] = [body.total, body.count, privacies];
  }
  // Here `nobody` is the author of these notes, and `author` a stranger to them.
  expect(totals).toEqual({
    author: [1, 1, ['public']],
    stranger: [1, 1, ['public']],
    friend: [3, 3, ['friend', 'friend', 'public']],
    nobody: [6, 6, ['friend', 'friend', 'private', 'private', 'private', 'public']],
  });
});

it('changes immediately with the friendship', async () => {
  const { note } = await aNote('friend');
  const { id } = await make.aUser();
  const token = await harness.token({ userId: id });
  const status = async () => (await harness.call(note, { token })).status;
  expect(await status()).toBe(403);
  await make.friends(id, ids.author);
  expect(await status()).toBe(200);
  await harness.source.query('DELETE FROM friendships WHERE friend_id = $1', [id]);
  expect(await status()).toBe(403);
});
