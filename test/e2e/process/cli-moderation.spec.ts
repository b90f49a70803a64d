import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { writer } from '../books/writes';
import { ban } from '../moderation/words';
import { until, Workshop, type Environment } from './programs';

let workshop: Workshop;
let harness: Harness;
let env: Environment;
beforeAll(async () => {
  workshop = await Workshop.open();
  harness = await startHarness();
  env = { DATABASE_URL: harness.url };
});
afterAll(async () => {
  await workshop.close();
  await harness.close();
});

const lines = async (...args: string[]): Promise<Record<string, unknown>[]> => {
  const { code, stdout } = await workshop.cli(env, args);
  expect(code).toBe(0);
  const all = stdout.trim().split('\n');
  return all.filter((line) => line !== '').map((line) => JSON.parse(line) as never);
};

/** Each command is a process of its own, which takes its time to start. */
const PATIENT = 90_000;

const reader = async () => {
  const make = new Factories(harness.database);
  const user = await writer(harness, (await make.aUser()).id);
  const path = `/v2/book/${await make.aBook()}/collection`;
  await user.post(path, { status: 'read' });
  const put = async (comment: string) => (await user.put(path, { status: 'read', comment })).status;
  return { put, seen: async () => (await harness.call(`${path}?user_id=${user.id}`)).status };
};

it(
  'words are added, imported, listed and removed, and a server that runs follows',
  async () => {
    const { put } = await reader();
    const file = join(workshop.folder, 'words.txt');
    await writeFile(file, '狐仓\n\nzarfel\n');
    expect(await workshop.result(env, 'words', 'add', 'grobnik', '--by', 'mo')).toEqual({
      added: 1,
      changed: 0,
      known: 0,
    });
    await until(async () => (await put('Grobnik')) === 400);
    expect(await workshop.result(env, 'words', 'import', file, '--action', 'hold')).toMatchObject({
      added: 2,
    });
    expect(await lines('words', 'list')).toMatchObject([
      { word: 'grobnik', action: 'refuse', created_by: 'mo' },
      { action: 'hold', created_by: 'administrator' },
      { action: 'hold' },
    ]);
    expect(await workshop.result(env, 'words', 'remove', 'GROBNIK')).toEqual({ removed: 1 });
    await until(async () => (await put('grobnik')) === 202);
  },
  PATIENT,
);

it(
  'held texts are listed, rejected and released',
  async () => {
    const { put, seen } = await reader();
    await ban(harness, 'hold', 'moon juice');
    expect(await put('moon juice')).toBe(202);
    const [waiting] = await lines('held', 'list');
    expect(waiting).toMatchObject({ kind: 'collection', words: ['moon juice'], state: 'open' });
    const id = String(waiting?.id);
    expect(await workshop.result(env, 'held', 'reject', id, '--by', 'mo')).toMatchObject({
      state: 'rejected',
      decided_by: 'mo',
    });
    expect(await seen()).toBe(404);
    expect(await workshop.result(env, 'held', 'release', id)).toMatchObject({ state: 'released' });
    expect(await seen()).toBe(200);
  },
  PATIENT,
);

it(
  'held notes and replies are released, too',
  async () => {
    const make = new Factories(harness.database);
    const author = await writer(harness, (await make.aUser()).id);
    const other = await writer(harness, (await make.aUser()).id);
    await ban(harness, 'hold', 'moon juice');
    const note = await author.post('/v2/notes', { title: 'A day', content: 'moon juice' });
    const path = `/v2/note/${note.body.id}`;
    await author.post(`${path}/comments`, { content: 'moon juice' });
    const waiting = await lines('held', 'list');
    expect(waiting.map(({ kind }) => kind)).toEqual(['note', 'note_reply']);
    for (const { id } of waiting) {
      expect(await workshop.result(env, 'held', 'release', String(id))).toMatchObject({
        state: 'released',
      });
    }
    expect((await other.get(path)).body.comments_count).toBe(1);
  },
  PATIENT,
);

it.each([
  [['words', 'add', '***'], 'there is no letter in the word "***"'],
  [['held', 'release', 'x'], 'not the id of a held text: x'],
  [['held', 'release', '4711'], 'no such held text: 4711'],
  [['words'], 'words: say what to do: list, add, remove or import'],
  [['held'], 'held: say what to do: list, release or reject'],
])('%p says what is wrong', async (args, said) => {
  const { code, stderr } = await workshop.cli(env, args);
  expect([code, stderr]).toEqual([1, `commonplace: ${said}\n`]);
});
