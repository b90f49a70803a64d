import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeExportFile } from './export-file';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-export-'));
  file = join(folder, 'books');
});
afterEach(() => rm(folder, { recursive: true }));

async function* pieces(error?: Error): AsyncGenerator<string> {
  yield 'first\n';
  await Promise.resolve();
  if (error) throw error;
  yield 'second\n';
}

it('writes a new file for its owner only, compressed by its name', async () => {
  await writeExportFile(file, pieces());
  expect(await readFile(file, 'utf8')).toBe('first\nsecond\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeExportFile(`${file}.gz`, pieces());
  expect(gunzipSync(await readFile(`${file}.gz`)).toString()).toBe('first\nsecond\n');
});

it('replaces a file, or the target of a link, and keeps its mode', async () => {
  await writeFile(file, 'earlier');
  await chmod(file, 0o664);
  await symlink(file, join(folder, 'link'));
  await writeExportFile(join(folder, 'link'), pieces());
  expect(await readFile(file, 'utf8')).toBe('first\nsecond\n');
  expect((await stat(file)).mode & 0o777).toBe(0o664);
});

it('leaves an existing file unchanged when it fails', async () => {
  await writeFile(file, 'earlier');
  await expect(writeExportFile(file, pieces(new Error('lost')))).rejects.toThrow('lost');
  expect(await readFile(file, 'utf8')).toBe('earlier');
  expect(await readdir(folder)).toEqual(['books']);
});

it('writes to a device', async () => {
  await writeExportFile('/dev/null', pieces());
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});
