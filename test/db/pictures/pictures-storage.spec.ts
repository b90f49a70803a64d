import { promises } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DiskStorage } from '../../../src/images/disk-storage';
import { fileName } from '../../../src/images/picture-names';
import { type PictureStorage } from '../../../src/images/picture-storage';
import { S3Storage } from '../../../src/images/s3-storage';
import { startS3 } from '../../e2e/pictures/s3-server';
import { testSettings } from '../../settings';

interface Place {
  readonly storage: PictureStorage;
  close(): Promise<void>;
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  disk: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-storage-'));
    // A folder that is not there yet.
    const storage = new DiskStorage(join(folder, 'pictures'));
    return { storage, close: () => rm(folder, { recursive: true }) };
  },
  S3: async () => {
    const s3 = await startS3();
    return { storage: new S3Storage(testSettings(s3.settings)), close: () => s3.close() };
  },
};

const hash = (letter: string): string => letter.repeat(64);
const NAME = fileName(hash('a'), 'l', 'jpg');
const read = async (storage: PictureStorage, ...what: Parameters<PictureStorage['get']>) => {
  const file = await storage.get(...what);
  return file && { ...file, stream: (await buffer(file.stream)).toString() };
};
const namesIn = async (storage: PictureStorage): Promise<string[]> => {
  const names = [];
  for await (const { name } of storage.list()) names.push(name);
  return names.sort();
};

describe.each(Object.entries(PLACES))('pictures in storage: %s', (name, openPlace) => {
  let place: Place;
  let storage: PictureStorage;
  beforeEach(async () => {
    place = await openPlace();
    storage = place.storage;
  });
  afterEach(() => place.close());

  it('are read as they were written, also after a second write', async () => {
    await storage.put(NAME, Buffer.from('a picture'), true);
    await storage.put(NAME, Buffer.from('a picture'), true);
    expect(await read(storage, NAME)).toEqual({ stream: 'a picture', length: 9, size: 9 });
    expect(await namesIn(storage)).toEqual([NAME]);
  });

  it('are read in ranges', async () => {
    await storage.put(NAME, Buffer.from('0123456789'), true);
    const part = { stream: '234', length: 3, size: 10, range: 'bytes 2-4/10' };
    expect(await read(storage, NAME, { start: 2, end: 4 })).toEqual(part);
    const rest = { stream: '789', length: 3, size: 10, range: 'bytes 7-9/10' };
    expect(await read(storage, NAME, { start: 7 })).toEqual(rest);
    expect(await read(storage, NAME, { start: 7, end: 99 })).toEqual(rest);
    expect(await read(storage, NAME, { last: 3 })).toEqual(rest);
    const all = { stream: '0123456789', length: 10, size: 10 };
    expect(await read(storage, NAME, { last: 99 })).toEqual({ ...all, range: 'bytes 0-9/10' });
    const beyond = read(storage, NAME, { start: 10 });
    if (name === 'S3') expect(await beyond).toEqual(all);
    else await expect(beyond).rejects.toMatchObject({ status: 416 });
  });

  it('that do not exist are undefined when read, and can be deleted', async () => {
    expect(await storage.get(NAME)).toBeUndefined();
    expect(await namesIn(storage)).toEqual([]);
    await storage.delete(NAME);
    await storage.put(NAME, Buffer.from('x'), true);
    await storage.delete(NAME);
    expect(await storage.get(NAME)).toBeUndefined();
  });

  it('are listed completely, with their age', async () => {
    const names = Array.from({ length: 30 }, (_, at) =>
      fileName(String(at).padStart(64, '0'), at % 2 ? 'l' : 's', 'png'),
    );
    const before = Date.now();
    await Promise.all(names.map((name) => storage.put(name, Buffer.from(name), true)));
    expect(await namesIn(storage)).toEqual(names.sort());
    for await (const { modified } of storage.list()) {
      // Some storages keep whole seconds.
      expect(modified.getTime()).toBeGreaterThanOrEqual(before - 1000);
      expect(modified.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    }
  });
});

describe('disk storage of pictures', () => {
  it('has no partial pictures, and lists leftover temporary files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-storage-'));
    const storage = new DiskStorage(folder);
    await storage.put(NAME, Buffer.from('whole'), true);
    const inside = join(folder, 'aa');
    expect(await readdir(inside)).toEqual([NAME]);
    expect(await readFile(join(inside, NAME), 'utf8')).toBe('whole');
    // A process that died while it wrote leaves this.
    const left = `${NAME}.01234567-89ab-cdef-0123-456789abcdef.tmp`;
    await writeFile(join(inside, left), 'wh');
    await utimes(join(inside, left), 1, 1);
    // Files of other programs are not listed.
    await writeFile(join(inside, 'README'), 'x');
    await mkdir(join(folder, 'lost+found'));
    expect(await namesIn(storage)).toEqual([NAME, left]);
    await storage.delete(left);
    expect((await readdir(inside)).sort()).toEqual(['README', NAME]);
    await rm(folder, { recursive: true });
  });

  it('removes the temporary file when a write fails', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-storage-'));
    const storage = new DiskStorage(folder);
    // A folder where the file should be: it cannot be replaced.
    await mkdir(join(folder, 'aa', NAME), { recursive: true });
    await writeFile(join(folder, 'aa', NAME, 'x'), '');
    await expect(storage.put(NAME, Buffer.from('x'), true)).rejects.toThrow();
    expect(await readdir(join(folder, 'aa'))).toEqual([NAME]);
    await rm(folder, { recursive: true });
  });
});

describe('a list of pictures on disk', () => {
  const LISTED = ['0', '1', '2'].map((digit) => fileName(hash(digit), 'l', 'jpg'));
  let parent: string;
  let storage: DiskStorage;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'commonplace-storage-'));
    storage = new DiskStorage(folder());
    for (const name of LISTED) await storage.put(name, Buffer.from('x'), true);
  });
  afterEach(() => rm(parent, { recursive: true }));

  const folder = (): string => join(parent, 'pictures');
  const unmount = (): Promise<void> => rename(folder(), join(parent, 'elsewhere'));
  const namesUntil = async (count: number, then: () => Promise<unknown>): Promise<string[]> => {
    const names = [];
    for await (const { name } of storage.list()) {
      names.push(name);
      if (names.length === count) await then();
    }
    return names;
  };

  const PUT: readonly [string, () => Promise<unknown>][] = [
    ['missing', () => Promise.resolve()],
    ['empty', () => mkdir(folder())],
    ['another folder of pictures', () => mkdir(join(folder(), '11'), { recursive: true })],
    ['a file', () => writeFile(folder(), '')],
  ];
  const CASES = PUT.flatMap(([name, put]) =>
    [1, LISTED.length].map((count) => [name, count, put] as const),
  );
  it.each(CASES)('fails when the folder becomes %s after %i of 3 files', async (_, count, put) => {
    const listing = namesUntil(count, async () => {
      await unmount();
      await put();
    });
    await expect(listing).rejects.toMatchObject({
      status: 503,
      cause: { message: expect.stringMatching(/PICTURES_DIR was unmounted/) as string },
    });
  });

  it('fails when the folder is unmounted between the files of a subfolder', async () => {
    const small = fileName(hash('2'), 's', 'jpg');
    await storage.put(small, Buffer.from('x'), true);
    await expect(namesUntil(LISTED.length, unmount)).rejects.toMatchObject({ status: 503 });
  });

  it('does not fail when subfolders and files are removed', async () => {
    const names = await namesUntil(1, async () => {
      for (const digits of ['00', '11', '22'])
        await rm(join(folder(), digits), { recursive: true });
    });
    expect(names).toHaveLength(1);
  });
});

describe('an upload while the folder of pictures is unmounted', () => {
  let mount: string;
  let storage: DiskStorage;
  beforeEach(async () => {
    mount = await mkdtemp(join(tmpdir(), 'commonplace-mount-'));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(mount, { recursive: true });
    await rm(`${mount}-unmounted`, { recursive: true, force: true });
  });

  /** Replaces the mounted folder by its empty mount point when the next subfolder is created. */
  function unmountBeforeNextSubfolder(): void {
    jest.spyOn(promises, 'mkdir').mockImplementationOnce(async (path) => {
      await rename(mount, `${mount}-unmounted`);
      await mkdir(mount);
      return mkdir(path).then(() => undefined);
    });
  }

  it.each(['', 'pictures'])(
    'fails and leaves nothing below the mount point: %p',
    async (inside) => {
      storage = new DiskStorage(join(mount, inside));
      await storage.put(NAME, Buffer.from('x'), true);
      unmountBeforeNextSubfolder();
      // The others begin to add subfolders before the first one has removed its own.
      const names = ['0', '1', '2', '3'].map((digit) => fileName(hash(digit), 'l', 'jpg'));
      const outcomes = await Promise.allSettled(
        names.map((name) => storage.put(name, Buffer.from('x'), false)),
      );
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } });
      expect(await readdir(mount)).toEqual([]);
    },
  );

  it('pictures of new subfolders are stored while it is mounted', async () => {
    storage = new DiskStorage(mount);
    await storage.put(NAME, Buffer.from('x'), true);
    const names = ['0', '0', '1', '2'].map((digit) => fileName(hash(digit), 'l', 'jpg'));
    await Promise.all(names.map((name) => storage.put(name, Buffer.from('x'), false)));
    expect(await readdir(mount)).toEqual(['00', '11', '22', 'aa']);
  });
});
