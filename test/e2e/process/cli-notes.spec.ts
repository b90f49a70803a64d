import { openTestDatabase, type TestDatabase } from '../../harness';
import { Shell } from './shell';

let opened: TestDatabase;
let shell: Shell;
beforeAll(async () => {
  opened = await openTestDatabase();
  shell = new Shell({ DATABASE_URL: opened.url });
});
afterAll(async () => {
  await opened.close();
});

const friends = () =>
  opened.source.query('SELECT user_id::int AS one, friend_id::int AS other FROM friendships');

it('friend add and remove create and delete a friendship in either direction, repeatedly', async () => {
  await opened.source.query(
    `INSERT INTO users (id, uid, name) VALUES (4, 'ann', 'A'), (7, 'bo', 'B')`,
  );
  const added = await shell.result('friend', 'add', 'bo', 'ann');
  expect(added).toEqual({ users: ['bo', 'ann'], friends: true });
  await shell.result('friend', 'add', 'ann', '7');
  expect(await friends()).toEqual([{ one: 4, other: 7 }]);
  await shell.result('friend', 'remove', 'ann', 'bo');
  expect(await friends()).toEqual([]);
  const refused = await shell.run(['friend', 'add', 'ann', '4']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'commonplace: users cannot be friends of themselves\n',
  ]);
});

it('note history prints the versions of a note, latest first; import --of names the parent record', async () => {
  const note = JSON.stringify({ id: '9', title: 't', content: 'now' });
  expect(await shell.lines(['import', 'note', '-', '--of', '4'], note)).toMatchObject([
    { imported: 1 },
  ]);
  expect(await opened.source.query('SELECT user_id::int FROM notes')).toEqual([{ user_id: 4 }]);
  const nobody = await shell.run(['import', 'note', '-', '--of', '0']);
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/invalid id: 0/)]);
  await opened.source.query(
    `INSERT INTO note_versions (note_id, title, content) VALUES (9, 't', 'first'), (9, 'u', 'then')`,
  );
  const replaced = expect.any(String);
  expect(await shell.lines(['note', 'history', '9'])).toEqual([
    { title: 'u', content: 'then', replaced },
    { title: 't', content: 'first', replaced },
  ]);
});
