import { once } from 'node:events';
import promises, { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { readSettings } from '../config/settings';
import { TransferFolder } from './transfer-folder';

const MEGABYTE = 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfer-folder-'));
  await mkdir(join(folder, 'full'));
  await writeFile(join(folder, 'full', 'manifest.json'), '{}');
  await writeFile(join(folder, 'full', '01-user.ndjson.gz'), Buffer.alloc(8 * MEGABYTE));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

it('requests to a folder that hangs occupy one thread', async () => {
  let end: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => (end = resolve));
  const { stat } = promises;
  const stats = jest.spyOn(promises, 'stat').mockImplementation((async (path: string) => {
    await hanging;
    return stat(path);
  }) as typeof stat);
  const transferred = transfers();
  const requests = [transferred.listFiles(), transferred.findFile('full'), transferred.listFiles()];
  await setImmediate();
  expect(stats).toHaveBeenCalledTimes(1);
  end();
  expect(await Promise.all(requests)).toMatchObject([[{}], { name: 'full' }, [{}]]);
});

const transfers = (): TransferFolder =>
  new TransferFolder(readSettings({ NODE_ENV: 'test', TRANSFER_DIR: folder }));

it.each([1, 600, 3 * MEGABYTE])(
  'an archive that its reader leaves after %i bytes ends without an uncaught error',
  async (bytes) => {
    const { stream } = await transfers().openArchive('full');
    let read = 0;
    for await (const chunk of stream) {
      read += (chunk as Buffer).length;
      // Leaving the loop destroys the stream.
      if (read >= bytes) break;
    }
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(stream.destroyed).toBe(true);
  },
);

it('an archive whose file is shorter than announced fails', async () => {
  const { stream } = await transfers().openArchive('full');
  await writeFile(join(folder, 'full', '01-user.ndjson.gz'), 'short');
  const failed = once(stream.resume(), 'end');
  await expect(failed).rejects.toThrow();
});

it('an archive contains a growing file up to its announced size, and all later files', async () => {
  const { stream, bytes } = await transfers().openArchive('full');
  await appendFile(join(folder, 'full', '01-user.ndjson.gz'), 'more');
  const archive = await buffer(stream);
  expect(archive).toHaveLength(bytes);
  expect(archive.includes('full/manifest.json')).toBe(true);
});

it('a file that grows after it was opened has its size at the opening', async () => {
  const path = join(folder, 'grows');
  await writeFile(path, 'records');
  const { stream, bytes } = await transfers().openFile('grows');
  await appendFile(path, ' and more');
  expect([await text(stream), bytes]).toEqual(['records', 7]);
});

it('a file that shrinks after it was opened fails', async () => {
  const path = join(folder, 'shrinks');
  await writeFile(path, 'records');
  const { stream } = await transfers().openFile('shrinks');
  await truncate(path, 3);
  await expect(text(stream)).rejects.toThrow('the file became shorter while it was read');
});
