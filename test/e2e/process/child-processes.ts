import { readFile } from 'node:fs/promises';

/** Ids of the processes that a process has started, such as the workers of a server. */
export async function childProcessesOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}
