import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFinished } from './unfinished-file';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-files-'));
  path = join(folder, 'users.ndjson');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (unfinished: string): Promise<void> => writeFile(unfinished, 'exported');
/** Another file gets the name after the last check. */
const interfere = (): Promise<void> => writeFile(path, 'uploaded');

describe('a finished file', () => {
  it('does not replace a file that appears at the last moment', async () => {
    await expect(writeFinished(path, write, interfere, false)).rejects.toThrow(
      `${path} already exists`,
    );
    expect(await readFile(path, 'utf8')).toBe('uploaded');
    expect(await readdir(folder)).toEqual(['users.ndjson']);
  });

  it('replaces it when it may', async () => {
    await writeFinished(path, write, interfere, true);
    expect(await readFile(path, 'utf8')).toBe('exported');
    expect(await readdir(folder)).toEqual(['users.ndjson']);
  });

  it('gets its name, and no other one remains', async () => {
    await writeFinished(path, write, () => undefined, false);
    expect(await readFile(path, 'utf8')).toBe('exported');
    expect(await readdir(folder)).toEqual(['users.ndjson']);
  });

  it('gets no name when its process has lost the job', async () => {
    const requireJob = (): void => {
      throw new Error('another process has the job');
    };
    await expect(writeFinished(path, write, requireJob, false)).rejects.toThrow('has the job');
    expect(await readdir(folder)).toEqual([]);
  });
});
