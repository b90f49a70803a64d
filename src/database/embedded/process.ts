import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Readable } from 'node:stream';

/** What a program that ran to its end left. */
export interface Outcome {
  /** Exit code; -1 when it could not be run or was killed. */
  code: number;
  /** Standard output followed by standard error, or why it could not be run. */
  output: string;
}

/** Under which uid and gid to run, and where. */
export interface RunAs {
  uid?: number;
  gid?: number;
  cwd?: string;
}

/**
 * The environment for PostgreSQL's programs. Only what they need is passed on: PG* variables would
 * change what they do, and this process's secrets are not for another account to read.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'windir', 'ComSpec', 'TEMP', 'TMP'];
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

/** Milliseconds that a program gets. */
const RUN_MS = 120_000;

/**
 * Runs a program to its end, at most two minutes; never rejects. It is in a session of its own:
 * Ctrl-C, which a terminal sends to every process, must not leave its work half done.
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
      // Some failures to switch account are thrown at once instead of being reported later.
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

/** Whether a process with this id runs; one that ended but was not collected does not count. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  // In containers whose first process collects nobody, the dead stay in the table for ever.
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
}

/**
 * Whether the live process `pid` may be the PostgreSQL server of `cluster`: false only when it is
 * surely something else that was given the same id.
 */
export async function mayBePostmaster(pid: number, cluster: string): Promise<boolean> {
  const [program = '', ...args] = await commandOf(pid);
  if (program === '') return true;
  // Its sessions and workers call themselves "postgres: …".
  if (!/^postgres(\.exe)?$/i.test(basename(program))) return false;
  const directory = args[args.indexOf('-D') + 1];
  return !args.includes('-D') || !directory || resolve(directory) === resolve(cluster);
}

/** A process's program and, on Linux, its arguments; nothing when that cannot be learned. */
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
