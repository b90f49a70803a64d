import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT } from '../../src/backup/archive';
import { readArchive } from '../../src/backup/archive-reader';
import { ArchiveWriter } from '../../src/backup/archive-writer';
import { baseBackup } from '../../src/backup/base-backup';
import { copyClusterFiles } from '../../src/backup/cluster-files';
import { withConnection } from '../../src/backup/connection';
import { createBackup } from '../../src/backup/create';
import { restoreBackup } from '../../src/backup/restore';
import { verifyBackup } from '../../src/backup/verify';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { copyCluster } from '../faults/postgres';
import { testSettings } from '../settings';

const { signal } = new AbortController();

/** Ids of user and group of an account that is not root. */
const ACCOUNT = 65534;

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(await realpath(tmpdir()), 'backup-'));
  // The account of the server, which is not root, must be able to enter.
  await chmod(home, 0o755);
  file = join(home, 'backup.tar.gz');
});

afterEach(async () => {
  jest.restoreAllMocks();
  await rm(home, { recursive: true, force: true });
});

const settingsOf = (dataDir: string): ReturnType<typeof testSettings> =>
  testSettings({ DATA_DIR: dataDir, PICTURES_DIR: join(home, 'pictures') });

/** Moves a file or folder of a cluster to another disk, with a link in its place. */
async function moveAway(cluster: string, name: string): Promise<void> {
  const target = join(home, `moved-${name}`);
  await rename(join(cluster, name), target);
  await symlink(target, join(cluster, name));
}

describe('a backup of an embedded database', () => {
  let cluster: string;

  beforeEach(async () => {
    const dataDir = join(home, 'data');
    await copyCluster(dataDir);
    cluster = join(dataDir, 'postgres');
    await mkdir(join(home, 'pictures'));
  });

  it('with links and files of other programs can be verified and restored', async () => {
    for (const name of ['pg_wal', 'base', 'postgresql.conf', 'global']) {
      await moveAway(cluster, name);
    }
    await appendFile(join(home, 'moved-postgresql.conf'), '\n# changed by hand\n');
    for (const name of ['postgresql.conf~', '#pg_hba.conf#']) {
      await writeFile(join(cluster, name), 'x');
    }
    for (const folder of ['@eaDir', 'base/lost+found']) {
      await mkdir(join(cluster, folder));
      await writeFile(join(cluster, folder, 'x'), 'x');
    }
    const warnings: string[] = [];
    await createBackup(settingsOf(join(home, 'data')), file, signal, (message) => {
      warnings.push(message);
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^These files are not in the backup, .* such names: "/),
    ]);
    const names = warnings[0]?.split('names: ')[1]?.split(', ').sort();
    expect(names).toEqual([
      '"#pg_hba.conf#"',
      '"@eaDir"',
      '"base/lost+found"',
      '"postgresql.conf~"',
    ]);
    expect((await verifyBackup(file, signal)).files).toBeGreaterThan(500);
    await restoreBackup(file, settingsOf(join(home, 'restored')), { replace: false, signal });
    const restored = join(home, 'restored', 'postgres');
    for (const name of ['pg_wal', 'base', 'global']) {
      expect((await lstat(join(restored, name))).isDirectory()).toBe(true);
    }
    expect((await lstat(join(restored, 'postgresql.conf'))).isFile()).toBe(true);
    expect(await readFile(join(restored, 'postgresql.conf'), 'utf8')).toContain('changed by hand');
    expect(await readdir(restored)).not.toContain('@eaDir');
  });

  it('as root fails for a link in the write-ahead log to a file of another user', async () => {
    const server = await openEmbedded({ dataDir: join(home, 'data') });
    try {
      const link = join(cluster, 'pg_wal', '00000009.history');
      await symlink('/etc/passwd', link);
      const archive = new ArchiveWriter(createWriteStream(file), () => undefined);
      const startedAt = '2026-01-01T00:00:00.000Z';
      await archive.begin({ format: FORMAT, startedAt, postgres: 18, pictures: false });
      jest.spyOn(process, 'getuid').mockReturnValue(0);
      await expect(baseBackup(server.url, cluster, archive, signal)).rejects.toThrow(
        `${link} is a link whose target belongs to another user than the database.`,
      );
      await archive.abort();
    } finally {
      jest.restoreAllMocks();
      await server.release();
    }
  });

  it('with a tablespace fails', async () => {
    const space = join(home, 'space');
    await mkdir(space);
    const { uid, gid } = await stat(cluster);
    await chown(space, uid, gid);
    const server = await openEmbedded({ dataDir: join(home, 'data') });
    try {
      await withConnection(server.url, signal, (client) =>
        client.query(`CREATE TABLESPACE space LOCATION '${space}'`),
      );
      await expect(createBackup(settingsOf(join(home, 'data')), file, signal)).rejects.toThrow(
        'Databases with tablespaces cannot be backed up.',
      );
    } finally {
      await server.release();
    }
    expect(await readdir(home)).not.toContain('backup.tar.gz');
  });
});

describe('copyClusterFiles', () => {
  let cluster: string;

  beforeEach(async () => {
    cluster = join(home, 'cluster');
    await mkdir(join(cluster, 'global'), { recursive: true });
    await writeFile(join(cluster, 'global', 'pg_control'), 'x');
  });

  /** Copies the cluster. @returns the paths in the archive */
  async function copy(): Promise<string[]> {
    const archive = new ArchiveWriter(createWriteStream(file), () => undefined);
    const startedAt = '2026-01-01T00:00:00.000Z';
    await archive.begin({ format: FORMAT, startedAt, postgres: 18, pictures: false });
    try {
      await copyClusterFiles(cluster, archive);
    } catch (error) {
      await archive.abort();
      throw error;
    }
    await archive.finish();
    const paths: string[] = [];
    await readArchive(file, {
      begin: () => undefined,
      folder: (path) => void paths.push(`${path}/`),
      file: async (_place, path, content) => {
        for await (const _chunk of content);
        paths.push(path);
      },
    });
    return paths.sort();
  }

  it('adds links to the same folder each time, and no named pipes', async () => {
    await mkdir(join(home, 'shared'));
    await writeFile(join(home, 'shared', 'x'), 'x');
    execFileSync('mkfifo', [join(cluster, 'pipe'), join(home, 'pipe')]);
    await symlink(join(home, 'pipe'), join(cluster, 'linked-pipe'));
    for (const name of ['one', 'other']) await symlink(join(home, 'shared'), join(cluster, name));
    // As Emacs marks a file that is being edited.
    await symlink('ann@host.1', join(cluster, '.#postgresql.conf'));
    expect(await copy()).toEqual(
      ['global/', 'global/pg_control', 'one/', 'one/x', 'other/', 'other/x'].sort(),
    );
  });

  it.each([
    ['a missing file', 'none', /postgresql\.conf is a link whose target is missing\./],
    ['itself', 'postgresql.conf', /postgresql\.conf is a link that leads back to itself\./],
    ['its folder', '.', /postgresql\.conf links to .*cluster, which contains the link\./],
    ['the root', '/', /postgresql\.conf links to \/, which contains the link\./],
  ])('fails for a link to %s', async (_what, target, message) => {
    await symlink(target, join(cluster, 'postgresql.conf'));
    await expect(copy()).rejects.toThrow(message);
  });

  describe('as root', () => {
    const isRoot = process.getuid?.() === 0;

    /** Gives a path to the owner of the cluster. An ordinary user owns both already. */
    const giveToOwner = async (path: string): Promise<void> => {
      if (isRoot) await chown(path, ACCOUNT, ACCOUNT);
    };

    beforeEach(async () => {
      await giveToOwner(cluster);
      jest.spyOn(process, 'getuid').mockReturnValue(0);
    });

    it.each([
      ['file', 'postgresql.conf', '/etc/passwd'],
      ['folder', 'base', '/etc'],
    ])('fails for a link to a %s of another user', async (_what, name, target) => {
      await symlink(target, join(home, 'second'));
      await symlink(join(home, 'second'), join(cluster, name));
      const message = `${join(cluster, name)} is a link whose target belongs to another user than`;
      await expect(copy()).rejects.toThrow(message);
    });

    it('follows links to files and folders of the owner of the cluster', async () => {
      await mkdir(join(home, 'base'));
      await writeFile(join(home, 'base', '1'), 'x');
      await writeFile(join(home, 'postgresql.conf'), 'x');
      for (const name of ['base', 'postgresql.conf']) {
        await giveToOwner(join(home, name));
        await symlink(join(home, name), join(cluster, name));
      }
      expect(await copy()).toEqual(
        ['base/', 'base/1', 'global/', 'global/pg_control', 'postgresql.conf'].sort(),
      );
    });
  });

  it('an ordinary user follows links to readable files of other users', async () => {
    if (process.getuid?.() === 0) await chown(cluster, ACCOUNT, ACCOUNT);
    jest.spyOn(process, 'getuid').mockReturnValue((await stat(cluster)).uid);
    await symlink('/etc/passwd', join(cluster, 'postgresql.conf'));
    expect(await copy()).toContain('postgresql.conf');
  });

  it('fails for links to folders that contain each other', async () => {
    await mkdir(join(home, 'outside', 'inner'), { recursive: true });
    await symlink(join(home, 'outside'), join(cluster, 'outside'));
    await symlink(join(cluster, 'global'), join(home, 'outside', 'inner', 'global'));
    await symlink(join(home, 'outside', 'inner'), join(cluster, 'global', 'back'));
    await expect(copy()).rejects.toThrow(/ links to .*, which contains the link\./);
  });
});
