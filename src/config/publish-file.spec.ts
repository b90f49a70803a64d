import * as files from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishNew } from './publish-file';

let folder: string;
let draft: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-files-'));
  [draft, path] = [join(folder, 'draft'), join(folder, 'file')];
  await writeFile(draft, 'new');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** A file system without hard links, such as FAT. */
const withoutHardLinks = (): void => {
  const refused = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
  jest.spyOn(files, 'link').mockRejectedValue(refused);
};

describe.each([
  ['with hard links', () => undefined],
  ['without hard links', withoutHardLinks],
])('a new file on a file system %s', (_system, prepare) => {
  beforeEach(prepare);

  it('gets its name', async () => {
    expect(await publishNew(draft, path)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it.each([
    ['file', () => writeFile(path, 'old')],
    ['folder', () => mkdir(path)],
    ['link to nothing', () => symlink('nowhere', path)],
  ])('replaces no %s', async (_other, create) => {
    await create();
    expect(await publishNew(draft, path)).toBe(false);
    expect((await readdir(folder)).sort()).toEqual(['draft', 'file']);
    expect(await readFile(draft, 'utf8')).toBe('new');
    expect(await readFile(path, 'utf8').catch(() => 'no file')).not.toBe('new');
  });

  it('fails when its draft was deleted', async () => {
    await rm(draft);
    await expect(publishNew(draft, path)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});

it('gets its name once when several processes publish it', async () => {
  const drafts = ['a', 'b', 'c', 'd'].map((name) => join(folder, name));
  await Promise.all(drafts.map((one) => writeFile(one, one)));
  const published = await Promise.all(drafts.map((one) => publishNew(one, path)));
  expect(published.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toBe(drafts[published.indexOf(true)]);
});
