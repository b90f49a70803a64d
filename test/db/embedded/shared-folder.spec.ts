import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Replacement, replaceCluster } from '../../../src/database/embedded/restore';

// Installations whose clusters are in the same folder, outside their data directories.

let home: string;
let outsideDir: string;

beforeEach(async () => {
  home = await mkdtemp(join(await realpath(tmpdir()), 'shared-'));
  await chmod(home, 0o755);
  outsideDir = join(home, 'outside');
});

afterEach(() => rm(home, { recursive: true }));

/** Creates the data directory of an installation, whose path is too long for PostgreSQL. */
async function createDataDir(name: string): Promise<string> {
  const dataDir = join(home, name, ...Array.from({ length: 4 }, () => 'a'.repeat(240)));
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

/** Restores a cluster with some content. @returns path of the replaced one */
const restore = (dataDir: string, content: string): Promise<string | undefined> =>
  replaceCluster({ dataDir, outsideDir }, async (replacement: Replacement) => {
    await writeFile(join(replacement.path, 'content'), content);
    return replacement.install();
  });

const contentOf = (cluster: string): Promise<string> => readFile(join(cluster, 'content'), 'utf8');

it('a restore keeps the current and the replaced clusters of all installations', async () => {
  const [one, other] = [await createDataDir('one'), await createDataDir('other')];
  await restore(one, 'first');
  const replaced = [await restore(one, 'second'), await restore(one, 'third')];
  await restore(other, 'other');
  replaced.push(await restore(other, 'its second'));
  expect(await contentOf(join(one, 'postgres'))).toBe('third');
  expect(await contentOf(join(other, 'postgres'))).toBe('its second');
  expect(await Promise.all(replaced.map((path) => contentOf(path ?? '')))).toEqual([
    'first',
    'second',
    'other',
  ]);
  for (const path of replaced) expect(path).toContain(outsideDir);
});

it('a restore keeps restored clusters with names of earlier versions', async () => {
  const [one, other] = [await createDataDir('one'), await createDataDir('other')];
  const earlier = join(outsideDir, 'restore-0123456789abcdef');
  await mkdir(earlier, { recursive: true });
  await chmod(outsideDir, 0o711);
  await writeFile(join(earlier, 'content'), 'earlier');
  await symlink(earlier, join(one, 'postgres'));
  await restore(other, 'other');
  expect(await contentOf(join(one, 'postgres'))).toBe('earlier');
  expect(await restore(one, 'second')).toBe(earlier);
  await restore(one, 'third');
  expect(await contentOf(earlier)).toBe('earlier');
});

it('a restore keeps the unfinished cluster of a concurrent restore of another installation', async () => {
  const [one, other] = [await createDataDir('one'), await createDataDir('other')];
  await replaceCluster({ dataDir: one, outsideDir }, async (replacement) => {
    await writeFile(join(replacement.path, 'content'), 'one');
    await restore(other, 'other');
    await replacement.install();
  });
  expect(await contentOf(join(one, 'postgres'))).toBe('one');
});

it('a restored cluster stays in a folder that is reached through a link', async () => {
  const dataDir = await createDataDir('one');
  await mkdir(join(home, 'disk'));
  await symlink(join(home, 'disk'), join(home, 'link'));
  outsideDir = join(home, 'link', 'outside');
  await restore(dataDir, 'new');
  expect(await contentOf(join(dataDir, 'postgres'))).toBe('new');
  expect(await realpath(join(dataDir, 'postgres'))).toContain(join(home, 'disk', 'outside'));
});
