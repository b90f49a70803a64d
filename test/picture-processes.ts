import { readFile, writeFile } from 'node:fs/promises';
import { childProcessesOf } from './e2e/process/child-processes';

const isPictureProcess = async (pid: number): Promise<boolean> => {
  const arguments_ = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return arguments_.includes('picture-program');
};

/** Ids of the processes in which a server decodes pictures: one while it has pictures, else none. */
export async function pictureProcessesOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const child of await childProcessesOf(pid)) {
    if (await isPictureProcess(child)) found.push(child);
  }
  return found;
}

/** Resident memory in bytes. */
export interface ResidentMemory {
  readonly now: number;
  /** The most since the process started, or since {@link forgetPeaks}. */
  readonly most: number;
}

async function memoryOf(pid: number): Promise<ResidentMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const bytesOf = (name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  return { now: bytesOf('VmRSS'), most: bytesOf('VmHWM') };
}

const withPictures = async (pid: number): Promise<number[]> => [
  pid,
  ...(await pictureProcessesOf(pid)),
];

/** Lets the peaks of {@link memoryWithPictures} begin now, proc_pid_clear_refs(5). */
export async function forgetPeaks(pid: number): Promise<void> {
  for (const one of await withPictures(pid)) await writeFile(`/proc/${one}/clear_refs`, '5');
}

/** Memory of a server together with that of the process in which it decodes pictures. */
export async function memoryWithPictures(pid: number): Promise<ResidentMemory> {
  const all = await Promise.all((await withPictures(pid)).map(memoryOf));
  return {
    now: all.reduce((sum, { now }) => sum + now, 0),
    most: all.reduce((sum, { most }) => sum + most, 0),
  };
}
