import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Readable } from 'node:stream';

/** The result of a program. */
export interface Outcome {
  /** Exit code; -1 when it did not start or was killed. */
  code: number;
  /** Standard output followed by standard error, or why it did not start. */
  output: string;
}

/** User, group and working directory of a program. */
export interface RunAs {
  uid?: number;
  gid?: number;
  cwd?: string;
}

/**
 * The environment for PostgreSQL's programs. It only passes required variables: PG* variables would
 * change the behaviour, and another account must not read the secrets of this process.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'windir', 'ComSpec', 'TEMP', 'TMP'];
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of passedOn) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

/** Time limit of a program in milliseconds. */
const RUN_MS = 120_000;

/**
 * Runs a program to its end, at most two minutes; never rejects. The program runs in its own
 * session, because Ctrl-C in a terminal reaches every process and must not interrupt it.
 */
export function run(program: string, args: string[], as: RunAs = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      resolve({ code: -1, output: error.message });
    };
    try {
      const child = spawn(program, args, {
        ...as,
        env: serverEnvironment(),
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr] = [child.stdout, child.stderr].map(collect);
      timer = setTimeout(() => child.kill(), RUN_MS);
      child.once('error', fail);
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        const text = `${stdout?.()}${stderr?.()}`.trim();
        resolve({ code: code ?? -1, output: text || (signal ? `ended by ${signal}` : '') });
      });
    } catch (error) {
      // Some failures to switch the account are thrown synchronously.
      fail(error as Error);
    }
  });
}

/** Collects the text of a stream. */
function collect(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
}

/** Whether a process with this id runs; a zombie does not count. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  // In containers whose init process does not reap, zombies stay in the process table.
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
}

/**
 * Whether the live process `pid` may be the PostgreSQL server of `cluster`: false only for a
 * process that is certainly another program with a reused id.
 */
export async function mayBePostmaster(pid: number, cluster: string): Promise<boolean> {
  const [program = '', ...args] = await commandOf(pid);
  if (program === '') return true;
  // Its sessions and workers have the title "postgres: …".
  if (!/^postgres(\.exe)?$/i.test(basename(program))) return false;
  const directory = args[args.indexOf('-D') + 1];
  return !args.includes('-D') || !directory || resolve(directory) === resolve(cluster);
}

/** The processes that a process has started and that have not been reaped; none on Windows. */
export async function childrenOf(parent: number): Promise<number[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const { output } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
    const pairs = output.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([pid, of]) => (pid !== undefined && of === parent ? [pid] : []));
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return line.slice(line.lastIndexOf(')') + 2).split(' ')[1];
    }),
  );
  return pids.filter((_, at) => parents[at] === String(parent)).map(Number);
}

/** A process's program and, on Linux, its arguments; empty when not available. */
async function commandOf(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  }
  if (process.platform === 'win32') {
    const found = await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
    return [/^"([^"]+)"/.exec(found.output)?.[1] ?? ''];
  }
  const found = await run('ps', ['-p', String(pid), '-o', 'comm=']);
  return found.code === 0 ? [found.output.trim()] : [];
}
