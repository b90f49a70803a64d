import promises, {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finishMove } from '../../../src/database/embedded/cluster';
import { type Replacement, replaceCluster } from '../../../src/database/embedded/restore';

const { rename } = promises;

let dataDir: string;
let outsideDir: string;

beforeEach(async () => {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'replaced-'));
  await chmod(home, 0o755);
  dataDir = join(home, 'data');
  outsideDir = join(home, 'outside');
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'content'), 'old');
});

afterEach(async () => {
  jest.restoreAllMocks();
  await rm(join(dataDir, '..'), { recursive: true });
});

/** Installs a new cluster. @returns path of the replaced one */
const install = (): Promise<string | undefined> =>
  replaceCluster({ dataDir, outsideDir }, async (replacement: Replacement) => {
    await writeFile(join(replacement.path, 'content'), 'new');
    return replacement.install();
  });

/** Makes renames to the place of the cluster fail, as on a failing disk. @param count of them */
function failRenames(count: number): void {
  let failures = 0;
  jest.spyOn(promises, 'rename').mockImplementation(async (from, to) => {
    if (to === join(dataDir, 'postgres') && failures < count) {
      failures += 1;
      throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' });
    }
    await rename(from, to);
  });
}

const clusterContent = (): Promise<string> =>
  readFile(join(dataDir, 'postgres', 'content'), 'utf8');

/** The entries of the data directory that belong to clusters. */
const entries = async (): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => /^(postgres(?!\.lock)|restore-)/.test(name)).sort();

it('replaces a cluster and keeps the replaced one', async () => {
  const aside = await install();
  expect(await clusterContent()).toBe('new');
  expect(await readFile(join(aside ?? '', 'content'), 'utf8')).toBe('old');
  expect(await entries()).toEqual([
    'postgres',
    expect.stringMatching(/^postgres\.replaced-[\dTZ.-]+$/),
  ]);
});

it('moves the existing cluster back when the new one cannot be moved into place', async () => {
  failRenames(1);
  await expect(install()).rejects.toThrow(
    `The restored database cannot be moved to ${dataDir}/postgres (EIO: i/o error, rename).`,
  );
  expect(await entries()).toEqual(['postgres']);
  expect(await clusterContent()).toBe('old');
  expect(await install()).toMatch(/replaced-/);
  expect(await clusterContent()).toBe('new');
});

it('the next start uses the new cluster when the existing one cannot be moved back', async () => {
  failRenames(2);
  const failure = (await install().catch((error: unknown) => error)) as Error;
  const [, aside = '', restored = ''] =
    / The previous database is in (\S+) and cannot be moved back \(.+\)\. The next start uses the restored one in (\S+)\.$/.exec(
      failure.message,
    ) ?? [];
  expect(await readFile(join(aside, 'content'), 'utf8')).toBe('old');
  expect(await readFile(join(restored, 'content'), 'utf8')).toBe('new');
  await finishMove(dataDir);
  expect(await clusterContent()).toBe('new');
});

it('a failed installation without an existing cluster leaves nothing behind', async () => {
  await rm(join(dataDir, 'postgres'), { recursive: true });
  failRenames(1);
  await expect(install()).rejects.toThrow('EIO: i/o error, rename');
  expect(await entries()).toEqual([]);
});
