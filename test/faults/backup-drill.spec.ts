import { access, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Server } from '../e2e/process/programs';
import { type CommandResult, Shell } from '../e2e/process/shell';
import { atScale, figure } from '../figures';
import { Browser } from '../e2e/oauth/browser';
import { callAt, type TestResponse } from '../http';
import { EmbeddedService } from './embedded';
import { eventually, processesWith } from './processes';
import { noise } from '../factories/pictures';
import { randomInteger } from '../random';

/** Size of an unfinished archive that already contains files. */
const BEGUN_BYTES = 500_000;

const NOTHING = { code: 1, stdout: '' };

let service: EmbeddedService;
let shell: Shell;

// The tests build on each other: each start of a server takes longer than what they are about.
beforeAll(async () => {
  service = await EmbeddedService.open();
  shell = new Shell(service.env);
});

afterAll(async () => {
  await service.close();
});

const backup = (...args: string[]): Promise<CommandResult> => shell.run(['backup', ...args]);

/** Paths of pictures of new notes, on the server. */
async function showPictures(server: Server, count: number): Promise<string[]> {
  const [token] = await service.tokens(1);
  const call = callAt(server.origin);
  const paths: string[] = [];
  for (let at = 0; at < count; at++) {
    const body = new FormData();
    const jpeg = await noise(60, 60, randomInteger()).jpeg().toBuffer();
    for (const [name, value] of [
      ['title', 'shown'],
      ['content', 'x'],
      ['pids', 'p_1'],
    ] as const) {
      body.append(name, value);
    }
    body.append('image_1', new Blob([jpeg], { type: 'image/jpeg' }), 'one.jpg');
    const { status, body: note } = await call('/v2/notes', { method: 'POST', token, body });
    expect(status).toBe(201);
    paths.push(new URL((note as { photos: Record<string, string> }).photos['1'] ?? '').pathname);
  }
  return paths;
}

async function picture(server: Server, path: string): Promise<string> {
  const response = await fetch(server.origin + path);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString('base64');
}

/** Creates the draft of another backup. @param hours since the last write to it */
async function aDraft(name: string, hours: number): Promise<string> {
  const file = join(service.workshop.folder, name);
  const time = Date.now() / 1000 - hours * 3600;
  await writeFile(file, 'unfinished');
  await utimes(file, time, time);
  return file;
}

/** The number of incomplete backups beside a file. */
const draftsOf = async (file: string): Promise<number> =>
  (await readdir(dirname(file))).filter(
    (name) => name.startsWith(basename(file)) && name.endsWith('.unfinished'),
  ).length;

it('of two backups to the same file, one is complete and the other fails', async () => {
  const file = join(service.workshop.folder, 'same.tar.gz');
  const abandoned = `${file}.99999999.unfinished`;
  await writeFile(abandoned, 'of a process that was killed');
  const ofYesterday = await aDraft('yesterday.tar.gz.99999999.unfinished', 2);
  const others = await Promise.all([
    aDraft('running.tar.gz.' + String(process.pid) + '.unfinished', 2),
    aDraft('elsewhere.tar.gz.99999999.unfinished', 0),
    aDraft('no-backup.unfinished', 2),
  ]);
  const args = ['backup', 'create', '--out', file];
  // Its timers go on while it is stopped.
  const env = { DATABASE_CONNECT_TIMEOUT_MS: '600000', DATABASE_STATEMENT_TIMEOUT_MS: '0' };
  const first = service.workshop.command({ ...service.env, ...env }, args);
  // Waits until it copies files. By then it has released the start lock of PostgreSQL and has
  // connected, which has a time limit.
  const begun = (): Promise<boolean> =>
    stat(`${file}.${first.child.pid}.unfinished`).then(
      ({ size }) => size > BEGUN_BYTES,
      () => false,
    );
  await eventually('the backup has begun', begun);
  first.child.kill('SIGSTOP');
  const second = await service.workshop.cli(service.env, args);
  first.child.kill('SIGCONT');
  const [complete, refused] = [second, await first.ended].sort(
    (one, other) => Number(one.code) - Number(other.code),
  );
  expect(complete).toMatchObject({ code: 0, stderr: '' });
  expect(refused).toMatchObject({ ...NOTHING, stderr: `commonplace: ${file} already exists.\n` });
  expect(await draftsOf(file)).toBe(0);
  await expect(access(ofYesterday)).rejects.toThrow('ENOENT');
  for (const other of others) {
    await access(other);
    await rm(other);
  }
  expect(await backup('verify', file)).toMatchObject({ code: 0 });
  await rm(file);
}, 300_000);

it('backup create leaves no file and no server when it is interrupted', async () => {
  const file = join(service.workshop.folder, 'backup.tar.gz');
  const command = service.workshop.command(service.env, ['backup', 'create', '--out', file]);
  await eventually('the backup has begun', async () => (await draftsOf(file)) === 1);
  command.child.kill('SIGINT');
  expect(await command.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
  expect(await processesWith(service.dataDir)).toEqual([]);
  expect(await readdir(service.workshop.folder)).not.toContainEqual(
    expect.stringMatching(/^backup/),
  );
}, 300_000);

it('backup create ends with a second signal when PostgreSQL does not respond', async () => {
  const file = join(service.workshop.folder, 'silent.tar.gz');
  const command = service.workshop.command(service.env, ['backup', 'create', '--out', file]);
  await eventually('the backup has begun', async () => (await draftsOf(file)) === 1);
  const postgres = async () =>
    (await processesWith(service.dataDir)).filter(({ pid }) => pid !== command.child.pid);
  await eventually('PostgreSQL runs', async () => (await postgres()).length > 0);
  const frozen = await postgres();
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  try {
    command.child.kill('SIGINT');
    // Signals closer together count as one.
    const signalled = performance.now();
    await eventually('a second passed', () =>
      Promise.resolve(performance.now() - signalled > 1500),
    );
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  }
  expect(await draftsOf(file)).toBeLessThan(2);
  // The next backup stops the server, and deletes what is left.
  expect(await backup('create', '--out', file)).toMatchObject({ code: 0 });
  expect(await draftsOf(file)).toBe(0);
  expect(await processesWith(service.dataDir)).toEqual([]);
  await rm(file);
}, 300_000);

it('backup create writes to standard output, and rejects an external database', async () => {
  const whole = await service.workshop.cli(service.env, ['backup', 'create', '--out', '-']);
  expect(whole.code).toBe(0);
  expect(JSON.parse(whole.stderr)).toMatchObject({ pictures: 0 });
  expect(whole.stdout.length).toBeGreaterThan(100_000);
  for (const args of [
    ['create', '--out', 'x'],
    ['restore', 'x'],
  ]) {
    const refused = await shell
      .with({ DATABASE_URL: 'postgres://localhost/none' })
      .run(['backup', ...args]);
    expect(refused).toMatchObject(NOTHING);
    expect(refused.stderr).toMatch(
      /^commonplace: DATABASE_URL points to .+ \(pgBackRest, WAL-G or /,
    );
  }
}, 300_000);

it('the console makes one backup at a time', async () => {
  const server = await service.serve();
  const administrator = await new Browser({ call: callAt(server.origin) }).register('keeper');
  expect(await shell.run(['user', 'role', 'keeper', 'administrator'])).toMatchObject({ code: 0 });
  const download = (): Promise<TestResponse> =>
    administrator.fill('/admin/transfers', '/admin/transfers/backup', {});
  const [complete, ...others] = (await Promise.all([download(), download(), download()])).sort(
    (one, other) => one.status - other.status,
  );
  expect(complete?.status).toBe(200);
  expect(complete?.headers.get('content-type')).toBe('application/gzip');
  for (const { status, text } of others) {
    expect(status).toBe(400);
    expect(text).toContain('Another backup is being downloaded.');
  }
  expect((await download()).status).toBe(200);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
}, 300_000);

it('backup restore restores all writes that were acknowledged before the backup', async () => {
  const server = await service.serve();
  const shown = await showPictures(server, 3);
  const bytes = await Promise.all(shown.map((path) => picture(server, path)));
  const writers = await service.write(atScale(30, 4));
  const file = join(service.workshop.folder, 'backup.tar.gz');
  const acknowledged: string[] = [];
  for (let round = 0; round < atScale(5, 1); round++) {
    await writers.more(atScale(500, 30));
    acknowledged.splice(0, Infinity, ...writers.acknowledged);
    await rm(file, { force: true });
    const created = await backup('create', '--out', file);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(created.stdout)).toMatchObject({ file, pictures: 6 });
    await writers.more(5);
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse((await backup('verify', file)).stdout)).toMatchObject({ pictures: 6 });
  const pictures = join(service.dataDir, 'pictures');
  await rename(pictures, `${pictures}.away`);
  const unmounted = await backup('create', '--out', `${file}.other`);
  expect(unmounted).toMatchObject(NOTHING);
  expect(unmounted.stderr).toContain('Is the file system mounted?');
  await rename(`${pictures}.away`, pictures);

  const running = await backup('restore', file, '--replace');
  expect(running).toMatchObject(NOTHING);
  expect(running.stderr).toMatch(/^commonplace: A server uses .+\. Stop it first\.\n$/);
  await writers.stop();
  expect(writers.unexpected([200, 201, 202])).toEqual([]);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
  const occupied = await backup('restore', file);
  expect(occupied).toMatchObject(NOTHING);
  expect(occupied.stderr).toMatch(/^commonplace: .+ already contains a database\. Use --replace /);

  await rm(service.dataDir, { recursive: true });
  const since = performance.now();
  const restored = await backup('restore', file);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  figure('s to restore', (performance.now() - since) / 1000, { atMost: 60 });
  expect(await processesWith(service.dataDir)).toEqual([]);

  const again = await service.serve();
  expect(await service.missing(acknowledged)).toEqual([]);
  expect(await Promise.all(shown.map((path) => picture(again, path)))).toEqual(bytes);
  const recount = await shell.run(['recount', '--check']);
  expect(recount).toMatchObject({ code: 0, stderr: '' });
  expect(await again.stop()).toMatchObject({ code: 0, stderr: '' });

  // The folder that a killed restore leaves.
  const draft = join(service.dataDir, 'pictures', `.restore-${'0'.repeat(16)}`);
  await mkdir(draft);
  await writeFile(join(draft, 'picture.jpg'), '');
  const replaced = await backup('restore', file, '--replace');
  expect(replaced).toMatchObject({ code: 0, stderr: '' });
  const { replaced: aside } = JSON.parse(replaced.stdout) as { replaced: string };
  await access(join(aside, 'PG_VERSION'));
  const left = await readdir(service.dataDir);
  expect(left.filter((name) => name.startsWith('restore-') || name.endsWith('.pending'))).toEqual(
    [],
  );
  expect(await readdir(join(service.dataDir, 'pictures'))).not.toContainEqual(
    expect.stringMatching(/^\.restore/),
  );
}, 900_000);
