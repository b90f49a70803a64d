import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, hydrate } from '../../../src/database/embedded/binaries';
import { run } from '../../../src/database/embedded/process';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'embedded-binaries-'));
});

afterEach(() => rm(home, { recursive: true }));

async function nativeFolder(): Promise<string> {
  const native = join(home, 'native');
  await mkdir(join(native, 'lib'), { recursive: true });
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library');
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify([link]));
  return native;
}

it('returns the paths of programs that run', async () => {
  const binaries = await findBinaries(undefined, () => Promise.resolve(home));
  const { code, output } = await run(binaries.postgres, ['--version']);
  expect(code).toBe(0);
  expect(output).toContain(` ${binaries.major}.`);
});

it('creates missing library links once, with relative targets', async () => {
  const native = await nativeFolder();
  expect(await hydrate(native)).toBe(true);
  expect(await hydrate(native)).toBe(true);
  expect(await readlink(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readFile(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
});

it('reports a missing link that it cannot create', async () => {
  const native = await nativeFolder();
  // A folder that is not there refuses root too, unlike one that is read-only.
  await rm(join(native, 'lib'), { recursive: true });
  expect(await hydrate(native)).toBe(false);
});

it('states what to do on a platform without a package', async () => {
  const arch = Object.getOwnPropertyDescriptor(process, 'arch') as PropertyDescriptor;
  Object.defineProperty(process, 'arch', { ...arch, value: 'mips' });
  try {
    const found = findBinaries(undefined, () => Promise.resolve(home));
    await expect(found).rejects.toThrow(/^There is no embedded PostgreSQL .*DATABASE_URL/);
  } finally {
    Object.defineProperty(process, 'arch', arch);
  }
});
