import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Workshop, type Environment } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
let env: Environment;
beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  env = { DATABASE_URL: opened.url };
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});

const friends = () =>
  opened.source.query('SELECT user_id::int AS one, friend_id::int AS other FROM friendships');

it('friend add and remove make and end a friendship, either way round, any number of times', async () => {
  await opened.source.query(
    `INSERT INTO users (id, uid, name) VALUES (4, 'ann', 'A'), (7, 'bo', 'B')`,
  );
  const added = await workshop.result(env, 'friend', 'add', 'bo', 'ann');
  expect(added).toEqual({ users: ['bo', 'ann'], friends: true });
  await workshop.result(env, 'friend', 'add', 'ann', '7');
  expect(await friends()).toEqual([{ one: 4, other: 7 }]);
  await workshop.result(env, 'friend', 'remove', 'ann', 'bo');
  expect(await friends()).toEqual([]);
  const refused = await workshop.cli(env, ['friend', 'add', 'ann', '4']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'commonplace: nobody is a friend of their own\n',
  ]);
}, 120_000);

it('note history prints what a note was, latest first; import --of says whose records are', async () => {
  const file = join(workshop.folder, 'note.json');
  await writeFile(file, JSON.stringify({ id: '9', title: 't', content: 'now' }));
  expect(await workshop.result(env, 'import', 'note', file, '--of', '4')).toMatchObject({
    imported: 1,
  });
  expect(await opened.source.query('SELECT user_id::int FROM notes')).toEqual([{ user_id: 4 }]);
  await opened.source.query(
    `INSERT INTO note_versions (note_id, title, content) VALUES (9, 't', 'first'), (9, 'u', 'then')`,
  );
  const { code, stdout } = await workshop.cli(env, ['note', 'history', '9']);
  expect(code).toBe(0);
  const replaced = expect.any(String);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { title: 'u', content: 'then', replaced },
    { title: 't', content: 'first', replaced },
  ]);
}, 120_000);
