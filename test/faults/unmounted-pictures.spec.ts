import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../e2e/notes/parts';
import { showPicture, someJpeg } from '../e2e/pictures/pictures';
import { Factories } from '../factories/factories';
import { startHarness, type Harness } from '../harness';
import { untilBlocked } from '../until-blocked';

let harness: Harness;
let token: string;
let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'commonplace-unmounted-'));
  harness = await startHarness({ settings: { PICTURES_DIR: folder() } });
  token = await harness.token({ userId: (await new Factories(harness.database).aUser()).id });
});
afterEach(async () => {
  await harness.close();
  await rm(parent, { recursive: true });
});

const folder = (): string => join(parent, 'pictures');

const upload = async (): Promise<number> => {
  const image_1 = await someJpeg();
  const parts = { title: 'title', content: 'text', pids: 'p_1', image_1 };
  return (await send(harness, token, 'POST', '/v2/notes', parts)).status;
};
const statuses = (path: string): Promise<number[]> =>
  Promise.all(
    [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-9' } }].map(
      async (init) => (await fetch(harness.origin + path, init)).status,
    ),
  );

it.each<[string, () => Promise<unknown>]>([
  ['missing', () => Promise.resolve()],
  ['empty', () => mkdir(folder())],
  ['of other files', () => mkdir(join(folder(), 'lost+found'), { recursive: true })],
  ['a file', () => writeFile(folder(), '')],
  ['a link to nothing', () => symlink(join(parent, 'nothing'), folder())],
])('503 while the folder of stored pictures is %s, and nothing is stored there', async (_, put) => {
  const { path } = await showPicture(harness, await someJpeg(), false);
  const below = join(parent, 'moved');
  await rename(folder(), below);
  await put();
  const before = await readdir(parent, { recursive: true });
  expect(await statuses(path)).toEqual([503, 503, 503]);
  expect(await upload()).toBe(503);
  expect(await readdir(parent, { recursive: true })).toEqual(before);
  await rm(folder(), { recursive: true, force: true });
  await rename(below, folder());
  expect(await statuses(path)).toEqual([200, 200, 206]);
  expect(await upload()).toBe(201);
});

it('the first pictures are stored in a folder that is empty or missing', async () => {
  const statuses = await Promise.all(Array.from({ length: 4 }, upload));
  expect(statuses).toEqual([201, 201, 201, 201]);
});

it('an operator who has lost all pictures creates a subfolder, and new ones are stored', async () => {
  const { path } = await showPicture(harness, await someJpeg(), false);
  await rm(folder(), { recursive: true });
  await mkdir(join(folder(), '00'), { recursive: true });
  expect(await statuses(path)).toEqual([404, 404, 404]);
  expect(await upload()).toBe(201);
});

it.each([
  ['missing', () => Promise.resolve()],
  ['empty', () => mkdir(folder())],
])('503 for an upload under way when the folder becomes %s', async (_, put) => {
  expect(await upload()).toBe(201);
  const runner = harness.source.createQueryRunner();
  await runner.startTransaction();
  await runner.query('LOCK TABLE pictures IN EXCLUSIVE MODE');
  const status = upload();
  await untilBlocked(harness.source);
  await rename(folder(), join(parent, 'moved'));
  await put();
  const before = await readdir(parent, { recursive: true });
  await runner.commitTransaction();
  await runner.release();
  expect(await status).toBe(503);
  expect(await upload()).toBe(503);
  expect(await readdir(parent, { recursive: true })).toEqual(before);
});
