import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastBackup, rememberBackup } from './last-backup';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('is the time of the last backup; unknown without one, and with a damaged file', async () => {
  expect(await lastBackup(folder)).toBeUndefined();
  await rememberBackup(folder);
  await rememberBackup(folder);
  const time = await lastBackup(folder);
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const [name = ''] = await readdir(folder);
  for (const text of ['', '\n', 'x']) {
    await writeFile(join(folder, name), text);
    expect(await lastBackup(folder)).toBeUndefined();
  }
});
