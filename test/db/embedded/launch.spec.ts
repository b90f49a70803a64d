import { access, chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchEmbedded } from '../../../src/database/embedded/launch';
import { copyCluster } from '../../faults/postgres';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(await realpath(tmpdir()), 'launch-'));
  await chmod(home, 0o755);
});

afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

const launch = (dataDir: string) => launchEmbedded({ dataDir, outsideDir: join(home, 'outside') });

it('waits for the process of PostgreSQL, but not until it accepts connections', async () => {
  const dataDir = join(home, 'data');
  await copyCluster(dataDir);
  const { opened } = await launch(dataDir);
  expect(await Promise.race([opened, Promise.resolve('starting')])).toBe('starting');
  const server = await opened;
  expect(server.started).toBe(true);

  const { opened: attached } = await launch(dataDir);
  const other = await attached;
  expect(other).toMatchObject({ url: server.url, started: false });
  await Promise.all([server.release(), other.release()]);
  await expect(access(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

it('rejects `opened` if PostgreSQL cannot start', async () => {
  const dataDir = join(home, 'file');
  await writeFile(dataDir, '');
  const { opened } = await launch(dataDir);
  await expect(opened).rejects.toThrow(/^The embedded PostgreSQL cannot use /);
});

it('stops a server that refuses connections, and reports why it does', async () => {
  const dataDir = join(home, 'data');
  await copyCluster(dataDir);
  // The file of the table of databases: PostgreSQL starts without it.
  await rm(join(dataDir, 'postgres', 'global', '1262'));
  const { opened } = await launch(dataDir);
  await expect(opened).rejects.toThrow(/runs but refuses connections \(.*global\/1262/);
  await expect(access(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});
