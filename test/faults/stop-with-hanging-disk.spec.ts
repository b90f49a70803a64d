import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Workshop, type Ended, type Server } from '../e2e/process/programs';
import { showPicture, someJpeg, startWithPictures } from '../e2e/pictures/pictures';
import { Connection } from '../e2e/process/connection';
import { figure } from '../figures';
import { type Harness } from '../harness';
import { HangingFile } from './hanging-file';

/** Requests for a file that hangs: one more than threads may work on the folder of pictures. */
const READERS = 3;

let harness: Harness & { readonly folder: string };
let workshop: Workshop;
let hanging: HangingFile | undefined;
beforeAll(async () => {
  workshop = await Workshop.open();
  harness = await startWithPictures();
});
afterAll(async () => {
  await workshop.close();
  await harness.close();
});
afterEach(async () => {
  await workshop.clear();
  hanging?.end();
  hanging = undefined;
});

/** A server, two of whose threads hang in the file of a picture, and the connections of readers. */
async function serveHanging(
  settings: Record<string, string>,
): Promise<{ server: Server; readers: Connection[] }> {
  const { path, hash } = await showPicture(harness, await someJpeg(), false);
  hanging = new HangingFile(join(harness.folder, hash.slice(0, 2), `${hash}-l.jpg`));
  const server = await workshop.serve({
    DATABASE_URL: harness.url,
    PICTURES_DIR: harness.folder,
    ...settings,
  });
  const readers = await Promise.all(
    Array.from({ length: READERS }, () => Connection.open(server.port)),
  );
  for (const reader of readers) reader.ask(path);
  // The others wait for their files then.
  await Promise.race(readers.map((reader) => reader.resolved(1)));
  expect(readers.flatMap(({ statuses }) => statuses)).toContain(503);
  return { server, readers };
}

/** How a server ends after SIGTERM, as soon as it may with `DRAIN_SECONDS=1`. */
async function stopInTime(server: Server): Promise<Ended> {
  const since = performance.now();
  const ended = await server.stop();
  figure('s until a server whose disk hangs ends', (performance.now() - since) / 1000, {
    atMost: 6,
  });
  return ended;
}

it('a server ends after DRAIN_SECONDS while operations on a disk hang', async () => {
  const { server } = await serveHanging({ DRAIN_SECONDS: '1' });
  expect(await stopInTime(server)).toMatchObject({ code: null, signal: 'SIGKILL', stderr: '' });
  expect(server.program.stdout).toContain('stopping');
});

it('a server ends after a second signal while operations on a disk hang', async () => {
  const { server, readers } = await serveHanging({ DRAIN_SECONDS: '600' });
  let cut = 0;
  for (const { closed } of readers) void closed.then(() => (cut += 1));
  await until(() => {
    server.program.child.kill('SIGTERM');
    return Promise.resolve(cut === READERS);
  });
  expect(await server.program.ended).toMatchObject({ code: null, signal: 'SIGKILL', stderr: '' });
});

it('a server with workers ends while operations on a disk hang', async () => {
  const { server } = await serveHanging({ DRAIN_SECONDS: '1', WORKERS: '1' });
  expect(await stopInTime(server)).toMatchObject({ code: 1, signal: null, stderr: '' });
});

it('a command ends while an operation on a disk hangs', async () => {
  const manifest = join(workshop.folder, 'manifest.json');
  writeFileSync(manifest, '{}');
  hanging = new HangingFile(manifest);
  const command = workshop.command({ DATABASE_URL: harness.url }, [
    'import',
    'all',
    workshop.folder,
  ]);
  let writer: number | undefined;
  await until(() => {
    try {
      // It succeeds when the command opens the pipe. The command then waits for bytes.
      writer = openSync(manifest, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      return Promise.resolve(false);
    }
    return Promise.resolve(true);
  });
  command.child.kill('SIGTERM');
  expect(await command.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  if (writer !== undefined) closeSync(writer);
});
