import { execFile } from 'node:child_process';
import { chmod, mkdir, open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedService } from '../embedded';
import { eventually, processesWith } from '../processes';
import { DiskStorage } from '../../../src/images/disk-storage';
import { figure } from '../../figures';

const command = promisify(execFile);

const SIZE_MB = 320;
const CHUNK = Buffer.alloc(1 << 20);

let service: EmbeddedService;
let disk: string;

beforeEach(async () => {
  service = await EmbeddedService.open();
  disk = service.dataDir;
  // The disk is empty, without the prepared cluster.
  await rm(disk, { recursive: true });
  await mkdir(disk);
  await command('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'commonplace-test', disk]);
  await chmod(disk, 0o755);
});

afterEach(async () => {
  await service.end();
  await command('umount', [disk]);
  await service.close();
});

const filler = (): string => join(disk, 'filler');

/** Writes to the disk until nothing more fits. */
async function fill(): Promise<void> {
  const file = await open(filler(), 'a');
  try {
    for (let size = CHUNK.length; size > 0; size >>= 1) {
      for (;;) {
        try {
          await file.write(CHUNK, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          break;
        }
      }
    }
  } finally {
    await file.close();
  }
}

it('a full disk stops PostgreSQL, which is restarted when there is room', async () => {
  const server = await service.serve();
  const writers = await service.write(8);
  await writers.more(20);
  await fill();
  // The next file of the log is needed at once.
  await service
    .withSource((source) => source.query('SELECT pg_switch_wal(), pg_current_wal_lsn()'))
    .catch(() => undefined);
  await eventually('PostgreSQL has given up', async () => {
    // Space that PostgreSQL frees when it stops is filled, too.
    await fill();
    return (await service.postmaster()) === undefined && writers.statuses.has(503);
  });
  expect((await server.get('/readyz'))[0]).toBe(503);
  expect((await server.get('/healthz'))[0]).toBe(200);
  await rm(filler());
  const since = performance.now();
  await eventually('the server is ready', async () => (await server.get('/readyz'))[0] === 200);
  figure('s until the service is back after a full disk', (performance.now() - since) / 1000, {
    atMost: 15,
  });
  await writers.more(5);
  await writers.stop();
  expect(await service.missing(writers.acknowledged)).toEqual([]);
  expect(writers.unexpected([200, 201, 202, 503])).toEqual([]);

  await fill();
  expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  expect(await processesWith(disk)).toEqual([]);
}, 600_000);

it('a full disk prevents the start of a server, which reports it in a sentence', async () => {
  await fill();
  const empty = await service.workshop.serveInVain(service.env);
  expect(empty).toMatchObject({ code: 1, signal: null });
  expect(empty.stderr).toMatch(/^commonplace: .*([Nn]o space left|ENOSPC).*\n$/);
  await rm(filler());
  await (await service.serve()).stop();
  await fill();
  const existing = await service.workshop.serveInVain(service.env);
  expect(existing).toMatchObject({ code: 1, signal: null });
  expect(existing.stderr).toMatch(/^commonplace: .*([Nn]o space|ENOSPC)/);
  expect(await processesWith(disk)).toEqual([]);
  await rm(filler());
  await (await service.serve()).stop();
}, 600_000);

it('a server that starts on a full disk uses the PostgreSQL that runs', async () => {
  const first = await service.serve();
  await fill();
  const second = await service.serve();
  expect((await second.get('/readyz'))[0]).toBe(200);
  await first.stop();
  expect((await second.get('/readyz'))[0]).toBe(200);
  expect(await second.stop()).toMatchObject({ code: 0, signal: null });
  expect(await processesWith(disk)).toEqual([]);
}, 600_000);

it('a backup does not fill the disk', async () => {
  await (await service.serve()).stop();
  const file = await open(filler(), 'a');
  const { bavail, bsize } = await statfs(disk);
  const left = 60 * 1024 * 1024;
  for (let free = bavail * bsize; free > left; free -= CHUNK.length) await file.write(CHUNK);
  await file.close();
  const out = join(disk, 'backup.tar.gz');
  const { code, stderr } = await service.workshop.cli(service.env, [
    'backup',
    'create',
    '--out',
    out,
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^commonplace: The disk of .+ is almost full: less than 64 MB are free\.\n$/,
  );
}, 600_000);

it('a full disk of pictures is 503, and pictures are stored when there is room', async () => {
  const pictures = new DiskStorage(join(disk, 'pictures'));
  const name = `${'a'.repeat(64)}-l.jpg`;
  await fill();
  await expect(pictures.put(name, CHUNK, true)).rejects.toMatchObject({ status: 503 });
  await rm(filler());
  await pictures.put(name, CHUNK, true);
  expect((await stat(pictures.placeOf(name))).size).toBe(CHUNK.length);
});
