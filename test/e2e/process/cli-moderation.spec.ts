import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { writer } from '../books/writes';
import { ban } from '../moderation/words';
import { until } from './programs';
import { Shell } from './shell';

let harness: Harness;
let shell: Shell;
beforeAll(async () => {
  harness = await startHarness();
  shell = new Shell({ DATABASE_URL: harness.url });
});
afterAll(async () => {
  await harness.close();
});

const lines = (...args: string[]) => shell.lines(args);

const reader = async () => {
  const make = new Factories(harness.database);
  const user = await writer(harness, (await make.aUser()).id);
  const path = `/v2/book/${await make.aBook()}/collection`;
  await user.post(path, { status: 'read' });
  const put = async (comment: string) => (await user.put(path, { status: 'read', comment })).status;
  return { put, seen: async () => (await harness.call(`${path}?user_id=${user.id}`)).status };
};

it('word add, import, list and remove take effect on a running server', async () => {
  const { put } = await reader();
  expect(await shell.result('word', 'add', 'grobnik', '--by', 'mo')).toEqual({
    added: 1,
    changed: 0,
    unchanged: 0,
  });
  await until(async () => (await put('Grobnik')) === 400);
  const file = ['word', 'import', '-', '--action', 'hold'];
  expect(await shell.lines(file, '狐仓\n\nzarfel\n')).toMatchObject([{ added: 2 }]);
  expect(await lines('word', 'list')).toMatchObject([
    { word: 'grobnik', action: 'refuse', created_by: 'mo' },
    { action: 'hold', created_by: 'administrator' },
    { action: 'hold' },
  ]);
  expect(await shell.result('word', 'remove', 'GROBNIK')).toEqual({ removed: 1 });
  await until(async () => (await put('grobnik')) === 202);
});

it('moderation list, reject and release work on texts of books', async () => {
  const { put, seen } = await reader();
  await ban(harness, 'hold', 'moon juice');
  expect(await put('moon juice')).toBe(202);
  const [waiting] = await lines('moderation', 'list');
  expect(waiting).toMatchObject({ kind: 'collection', words: ['moon juice'], state: 'open' });
  const id = String(waiting?.id);
  expect(await shell.result('moderation', 'reject', id, '--by', 'mo')).toMatchObject({
    state: 'rejected',
    decided_by: 'mo',
  });
  expect(await seen()).toBe(404);
  expect(await shell.result('moderation', 'release', id)).toMatchObject({ state: 'released' });
  expect(await seen()).toBe(200);
});

it('moderation release works on notes and replies', async () => {
  const make = new Factories(harness.database);
  const author = await writer(harness, (await make.aUser()).id);
  const other = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'hold', 'moon juice');
  const note = await author.post('/v2/notes', { title: 'A day', content: 'moon juice' });
  const path = `/v2/note/${note.body.id}`;
  await author.post(`${path}/comments`, { content: 'moon juice' });
  const waiting = await lines('moderation', 'list');
  expect(waiting.map(({ kind }) => kind)).toEqual(['note', 'note_reply']);
  for (const { id } of waiting) {
    expect(await shell.result('moderation', 'release', String(id))).toMatchObject({
      state: 'released',
    });
  }
  expect((await other.get(path)).body.comments_count).toBe(1);
});

it.each([
  [['word', 'add', '***'], 'the word "***" contains no letters'],
  [['moderation', 'release', 'x'], 'invalid id: x'],
  [['moderation', 'release', '4711'], 'text not found in the moderation queue: 4711'],
  [['words'], 'word: a subcommand is required; existing subcommands: list, add, remove, import'],
  [
    ['held'],
    'moderation: a subcommand is required; existing subcommands: list, show, release, reject',
  ],
])('%p reports what is wrong', async (args, message) => {
  const { code, stderr } = await shell.run(args);
  expect([code, stderr]).toEqual([1, `commonplace: ${message}\n`]);
});
