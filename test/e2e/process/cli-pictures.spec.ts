import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Shell } from './shell';

let opened: TestDatabase;
let home: string;
let shell: Shell;
beforeAll(async () => {
  opened = await openTestDatabase();
  home = await mkdtemp(join(tmpdir(), 'commonplace-sweep-'));
  shell = new Shell({ DATABASE_URL: opened.url, DATA_DIR: home });
});
afterAll(async () => {
  await rm(home, { recursive: true });
  await opened.close();
});

it('picture sweep removes unused pictures, and prints their number', async () => {
  const folder = join(home, 'pictures', 'aa');
  await mkdir(folder, { recursive: true });
  const names = ['l', 's'].map((variant) => `${'a'.repeat(64)}-${variant}.png`);
  for (const name of names) {
    await writeFile(join(folder, name), 'x');
    await utimes(join(folder, name), 1, 1);
  }
  await writeFile(join(folder, `${'ab'.repeat(32)}-l.png`), 'x');
  expect(await shell.result('picture', 'sweep')).toEqual({ removed: 2 });
  expect(await readdir(folder)).toHaveLength(1);
});

it('a former name of a command still works', async () => {
  const { code, stderr } = await shell.run(['pictures']);
  expect([code, stderr]).toEqual([
    1,
    'commonplace: picture: a subcommand is required; existing subcommands: sweep\n',
  ]);
});
