import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { withLock } from '../../../src/database/embedded/lock';

let home: string;
let lock: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'embedded-lock-'));
  lock = join(home, 'lock');
});

afterEach(() => rm(home, { recursive: true }));

async function pidOfExitedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

it('admits one process at a time and removes the lock file', async () => {
  let inside = 0;
  const counts: number[] = [];
  const visit = (): Promise<void> =>
    withLock(lock, async () => {
      counts.push(++inside);
      await turn();
      inside--;
    });
  await Promise.all(Array.from({ length: 8 }, visit));
  expect(counts).toEqual(Array(8).fill(1));
  await expect(access(lock)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('returns the result, passes on errors and releases the lock in both cases', async () => {
  await expect(withLock(lock, () => Promise.resolve(7))).resolves.toBe(7);
  await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withLock(lock, () => Promise.resolve(8))).resolves.toBe(8);
});

it('takes over the lock of a dead process, in one process only', async () => {
  await writeFile(lock, JSON.stringify({ pid: await pidOfExitedProcess(), born: '', token: 'x' }));
  let inside = 0;
  const visit = (): Promise<number> =>
    withLock(lock, async () => {
      const count = ++inside;
      await turn();
      inside--;
      return count;
    });
  expect(await Promise.all(Array.from({ length: 5 }, visit))).toEqual(Array(5).fill(1));
});

it('takes over an old lock whose process id now belongs to another process', async () => {
  await writeFile(lock, JSON.stringify({ pid: process.pid, born: 'earlier boot/1', token: 'x' }));
  // Where the beginning of a process is not known, only age tells.
  await utimes(lock, 0, 0);
  const mine = await withLock(lock, () => readFile(lock, 'utf8'));
  expect(JSON.parse(mine)).toMatchObject({ pid: process.pid });
});

it('takes over an empty lock file and a stale guard file', async () => {
  await writeFile(lock, '');
  await writeFile(`${lock}.guard`, '1');
  await utimes(lock, 0, 0);
  await utimes(`${lock}.guard`, 0, 0);
  await expect(withLock(lock, () => Promise.resolve('in'))).resolves.toBe('in');
});

it('takes over an old lock file without a process id', async () => {
  for (const text of ['null', '{}', '1']) {
    await writeFile(lock, text);
    await utimes(lock, 0, 0);
    await expect(withLock(lock, () => Promise.resolve('in'))).resolves.toBe('in');
  }
});

it('takes over an empty lock file from before the clock was set back', async () => {
  await writeFile(lock, '');
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(lock, tomorrow, tomorrow);
  await expect(withLock(lock, () => Promise.resolve('in'))).resolves.toBe('in');
});
