import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** Fields of /proc/PID/stat after the name, which may contain spaces; undefined elsewhere. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** CPU time in milliseconds that a process has used; 0 when it has ended, or without /proc. */
export function cpuOf(pid: number): number {
  const stat = statOf(pid);
  return stat ? (Number(stat[11]) + Number(stat[12])) * TICK_MS : 0;
}

/** CPU time in milliseconds of the processes that a process has reaped. */
const reapedOf = (stat: readonly string[]): number =>
  (Number(stat[13]) + Number(stat[14])) * TICK_MS;

/** The process ids of a process and its child processes. */
export function treeOf(parent: number): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)?.[1]) === parent);
  return [parent, ...children];
}

/** CPU time in milliseconds of a process, of its child processes, and of those that have ended. */
export function treeCpuOf(parent: number): number {
  for (;;) {
    const before = statOf(parent);
    if (!before) return 0;
    const total = treeOf(parent).reduce((ms, pid) => ms + cpuOf(pid), reapedOf(before));
    // A process that ends meanwhile would be counted twice or not at all.
    const after = statOf(parent);
    if (after && reapedOf(after) === reapedOf(before)) return total;
  }
}

/** The process id of the server on a data directory. */
export function postmasterOf(dataDir: string): number {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

/** Resident memory of a process in MB, now and at its highest; 0 without /proc. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended, or this is not Linux.
  }
  const megabytes = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024) / 1e6;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
