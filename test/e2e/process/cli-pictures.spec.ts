import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Workshop } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});

it('pictures sweep removes what belongs to no picture, and says how much it was', async () => {
  const env = { DATABASE_URL: opened.url, DATA_DIR: workshop.folder };
  const folder = join(workshop.folder, 'pictures', 'aa');
  await mkdir(folder, { recursive: true });
  const names = ['l', 's'].map((variant) => `${'a'.repeat(64)}-${variant}.png`);
  for (const name of names) {
    await writeFile(join(folder, name), 'x');
    await utimes(join(folder, name), 1, 1);
  }
  await writeFile(join(folder, `${'ab'.repeat(32)}-l.png`), 'x');
  expect(await workshop.result(env, 'pictures', 'sweep')).toEqual({ removed: 2 });
  expect(await readdir(folder)).toHaveLength(1);
});

it('pictures alone says what there is to do', async () => {
  const { code, stderr } = await workshop.cli({ DATABASE_URL: opened.url }, ['pictures']);
  expect([code, stderr]).toEqual([
    1,
    'commonplace: pictures: say what to do, such as "pictures sweep"\n',
  ]);
});
