import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { FORMAT, SUMS } from '../../src/backup/archive';
import { type ArchiveSink, readArchive } from '../../src/backup/archive-reader';
import { ArchiveWriter } from '../../src/backup/archive-writer';
import { segmentNames } from '../../src/backup/base-backup';
import { createBackup } from '../../src/backup/create';
import { restoreBackup } from '../../src/backup/restore';
import { testSettings } from '../settings';

const INFO = {
  format: FORMAT,
  startedAt: '2026-01-01T00:00:00.000Z',
  postgres: 18,
  pictures: true,
};
const PICTURE = `${'a'.repeat(64)}-l.jpg`;

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'backup-'));
  // The account of the server, which is not root, must be able to enter.
  await chmod(home, 0o755);
  file = join(home, 'backup.tar.gz');
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** Takes everything, and keeps the files' texts by their names. */
class Collector implements ArchiveSink {
  readonly files: Record<string, string> = {};
  readonly folders: string[] = [];
  begin = (): void => undefined;
  folder = (path: string): void => {
    this.folders.push(path);
  };
  async file(place: string, path: string, content: AsyncIterable<Buffer>): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    this.files[`${place}/${path}`] = Buffer.concat(chunks).toString();
  }
}

/** Opens its file slowly: the archive has ended when the first byte is read. */
class SlowCollector extends Collector {
  override async file(place: string, path: string, content: AsyncIterable<Buffer>): Promise<void> {
    const { size } = await stat(file);
    // Reads of the file in the same thread pool, one after the other.
    for (let turn = 0; turn < 20 + size / 10_000; turn += 1) await stat(file);
    await super.file(place, path, content);
  }
}

async function write(): Promise<void> {
  const path = join(home, 'some file');
  await writeFile(path, 'x'.repeat(1_000_000));
  const archive = new ArchiveWriter(createWriteStream(file), () => undefined);
  await archive.begin(INFO);
  for (const name of ['pg_wal', 'base', 'base/1']) await archive.addFolder(`database/${name}/`);
  await archive.addText('database/PG_VERSION', '18\n');
  expect(await archive.addFile('database/base/1/2', path)).toBe(true);
  expect(await archive.addFile('database/base/1/3', join(home, 'none'))).toBe(false);
  await archive.addText(`pictures/${PICTURE}`, 'a picture');
  expect(await archive.finish()).toMatchObject({ files: 4, pictures: 1 });
}

it('an archive can be read after it is written', async () => {
  await write();
  const collector = new Collector();
  expect(await readArchive(file, collector)).toMatchObject({ info: INFO, files: 4, pictures: 1 });
  expect(collector.folders).toEqual(['pg_wal', 'base', 'base/1']);
  expect(Object.keys(collector.files)).toEqual([
    'database/PG_VERSION',
    'database/base/1/2',
    `pictures/${PICTURE}`,
  ]);
  expect(collector.files['database/base/1/2']).toBe('x'.repeat(1_000_000));
});

it('rejects truncated archives and files that are not archives', async () => {
  await write();
  const backup = await readFile(file);
  for (const part of [0.1, 0.5, 0.9, 0.999]) {
    await truncate(file, 0);
    await writeFile(file, backup.subarray(0, Math.floor(backup.length * part)));
    await expect(readArchive(file, new Collector())).rejects.toThrow(
      /damaged, incomplete, or not a backup/,
    );
  }
  // Cut off between two entries, as when a disk was full and gzip was ended in good order.
  const tar = gunzipSync(backup);
  const sums = tar.indexOf(SUMS);
  await writeFile(file, gzipSync(Buffer.concat([tar.subarray(0, sums), Buffer.alloc(1024)])));
  await expect(readArchive(file, new Collector())).rejects.toThrow(
    /incomplete: it was cut off, or never finished/,
  );
  await writeFile(file, 'no archive at all');
  await expect(readArchive(file, new Collector())).rejects.toThrow(/not a backup/);
});

it.each([SlowCollector, Collector])('names a cut inside a file as the reason: %p', async (Sink) => {
  const path = join(home, 'some file');
  // Random, so that the compressed file is large, too.
  await writeFile(path, randomBytes(1_000_000));
  const archive = new ArchiveWriter(createWriteStream(file), () => undefined);
  await archive.begin(INFO);
  await archive.addFile('database/base/1/2', path);
  await archive.finish();
  for (const size of [500_000, 20_000]) {
    await truncate(file, size);
    await expect(readArchive(file, new Sink())).rejects.toThrow(
      /is damaged, incomplete, or not a backup \(unexpected end of file\)/,
    );
  }
});

it('rejects named pipes and folders without opening them', async () => {
  execFileSync('mkfifo', [file]);
  for (const path of [file, home, '/dev/null']) {
    await expect(readArchive(path, new Collector())).rejects.toThrow(
      `${path} is not a regular file`,
    );
  }
});

it('reads a backup from a pipe of the shell', async () => {
  await write();
  const script = 'cat "$0" | { echo "$BASHPID"; exec sleep 600; }';
  const shell = spawn('bash', ['-c', script, file], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  try {
    const { files } = await readArchive(`/proc/${pid}/fd/0`, new Collector());
    expect(files).toBe(4);
  } finally {
    process.kill(pid);
    await once(shell, 'exit');
  }
});

it('is not written to a folder that backups contain', async () => {
  const settings = testSettings({ DATA_DIR: home, PICTURES_DIR: join(home, 'shown') });
  for (const folder of ['postgres/base', 'shown/22']) {
    await mkdir(join(home, folder), { recursive: true });
  }
  await symlink(join(home, 'shown'), join(home, 'link'));
  const { signal } = new AbortController();
  for (const folder of ['postgres', 'postgres/base', 'shown', 'shown/22', 'link/22']) {
    const out = join(home, folder, 'backup.tar.gz');
    await expect(createBackup(settings, out, signal)).rejects.toThrow('which backups contain');
    expect(await readdir(join(home, folder))).not.toContain('backup.tar.gz');
  }
});

it('rejects a list of checksums with a line of 1 MB', async () => {
  const tar = pack();
  tar.entry({ name: 'backup.json' }, JSON.stringify(INFO));
  tar.entry({ name: 'SHA256SUMS' }, 'x'.repeat(1_000_000));
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  await writeFile(file, gzipSync(Buffer.concat(chunks)));
  await expect(readArchive(file, new Collector())).rejects.toThrow(/list of checksums is damaged/);
});

it('rejects an archive with a modified file, and names the file', async () => {
  await write();
  const tar = gunzipSync(await readFile(file));
  tar.write('y', tar.indexOf('xxxx') + 5000);
  await writeFile(file, gzipSync(tar));
  await expect(readArchive(file, new Collector())).rejects.toThrow(
    /damaged: database\/base\/1\/2 does not match its checksum/,
  );
});

it.each(['../x', 'database/../../x', '/etc/x', 'database//x', 'other/x', 'database/a\nb'])(
  'writes nothing outside the target folders: %j',
  async (name) => {
    const tar = pack();
    for (const [entry, text] of [
      ['backup.json', JSON.stringify(INFO)],
      [name, 'x'],
    ] as const) {
      tar.entry({ name: entry }, text);
    }
    tar.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
    await writeFile(file, gzipSync(Buffer.concat(chunks)));
    await expect(readArchive(file, new Collector())).rejects.toThrow(/an unexpected file/);
  },
);

it('restore leaves nothing behind when the backup is damaged', async () => {
  await write();
  const tar = gunzipSync(await readFile(file));
  tar.write('y', tar.indexOf('xxxx') + 5000);
  await writeFile(file, gzipSync(tar));
  const dataDir = join(home, 'data');
  const settings = testSettings({ DATA_DIR: dataDir });
  const options = { replace: false, signal: new AbortController().signal };
  await expect(
    restoreBackup(file, settings, { ...options, outsideDir: join(home, 'outside') }),
  ).rejects.toThrow(/damaged/);
  expect(await readdir(dataDir)).toEqual(['pictures']);
  expect(await readdir(join(dataDir, 'pictures'))).toEqual([]);
});

it('rejects files of another version of PostgreSQL', async () => {
  const archive = new ArchiveWriter(createWriteStream(file), () => undefined);
  await archive.begin({ ...INFO, postgres: 12 });
  await archive.finish();
  const settings = testSettings({ DATA_DIR: join(home, 'data') });
  const options = {
    replace: false,
    signal: new AbortController().signal,
    outsideDir: join(home, 'o'),
  };
  await expect(restoreBackup(file, settings, options)).rejects.toThrow(
    /^PostgreSQL 12 created the backup, but the installed version is \d+\. /,
  );
});

it('contains checksums in the format of sha256sum', async () => {
  await write();
  const tar = gunzipSync(await readFile(file)).toString('latin1');
  const digest = createHash('sha256').update('18\n').digest('hex');
  expect(tar).toContain(`${digest}  database/PG_VERSION\n`);
});

it('returns the WAL file names between two positions', () => {
  const size = 16n * 1024n * 1024n;
  expect(segmentNames({ start: '0/2000028', stop: '0/2000158' }, size, 1)).toEqual([
    '000000010000000000000002',
  ]);
  expect(segmentNames({ start: '0/FF000028', stop: '1/1000000' }, size, 3)).toEqual([
    '0000000300000000000000FF',
    '000000030000000100000000',
  ]);
});

it('an archive whose destination is closed fails, and the process goes on', async () => {
  // Jest would catch an exception that ends a process.
  const program = `
    const { PassThrough } = require('node:stream');
    const { ArchiveWriter } = require('./src/backup/archive-writer');
    const destination = new PassThrough();
    const archive = new ArchiveWriter(destination, () => undefined);
    destination.destroy();
    archive.begin({}).then(() => archive.finish()).catch(() => console.log('failed'));
    setImmediate(() => setImmediate(() => console.log('goes on')));`;
  const typescript = join(__dirname, '../e2e/process/typescript.js');
  const node = promisify(execFile)(process.execPath, ['--require', typescript, '-e', program], {
    cwd: join(__dirname, '../..'),
  });
  expect((await node).stdout.split('\n').sort()).toEqual(['', 'failed', 'goes on']);
});

it('an archive on a full disk fails with ENOSPC', async () => {
  const archive = new ArchiveWriter(createWriteStream('/dev/full'), () => undefined);
  const write = async (): Promise<never> => {
    // The event loop runs between two entries, as when files are read.
    for (; ; await setImmediate()) await archive.addBytes('pictures/x', randomBytes(1000));
  };
  await expect(write()).rejects.toMatchObject({ code: 'ENOSPC' });
  await archive.abort();
});
