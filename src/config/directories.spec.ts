import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectory } from './directories';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'directories-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

it('creates missing folders and returns the topmost that it created', async () => {
  const path = join(home, 'a', 'b', 'c');
  expect(await createDirectory(path, 0o700)).toBe(join(home, 'a'));
  const { mode } = await stat(path);
  expect(mode & 0o777).toBe(0o700);
  expect(await createDirectory(path)).toBeUndefined();
});

it('can be called concurrently', async () => {
  const path = join(home, 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 8 }, () => createDirectory(path)));
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('follows symbolic links', async () => {
  await mkdir(join(home, 'real'));
  await symlink(join(home, 'real'), join(home, 'link'));
  await createDirectory(join(home, 'link', 'a'));
  expect((await stat(join(home, 'real', 'a'))).isDirectory()).toBe(true);
});

it('throws below a file, and for a link without a target', async () => {
  await writeFile(join(home, 'file'), '');
  await symlink(join(home, 'gone'), join(home, 'link'));
  const file = join(home, 'file');
  await expect(createDirectory(file)).rejects.toMatchObject({ code: 'ENOTDIR', syscall: 'mkdir' });
  await expect(createDirectory(join(file, 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(createDirectory(join(home, 'link', 'a'))).rejects.toThrow(/EEXIST|ENOENT/);
});

it('throws for a folder that is not writable', async () => {
  if (process.platform === 'linux') {
    await expect(createDirectory('/proc/commonplace/a')).rejects.toMatchObject({ code: 'ENOENT' });
  }
  if (process.getuid?.() !== 0) {
    await chmod(home, 0o500);
    await expect(createDirectory(join(home, 'a'))).rejects.toMatchObject({ code: 'EACCES' });
  }
});
