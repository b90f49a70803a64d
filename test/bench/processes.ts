import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Load, type Run } from './load';

const BUILT = join(__dirname, '../..');

/** A server of the benchmark, up. */
export interface Served {
  readonly process: ChildProcess;
  /** Milliseconds from the start of the process until it said that it was up. */
  readonly ready: number;
}

/** Starts a server and waits for a word on its standard output. */
export function startServer(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  word: string,
): Promise<Served> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(BUILT, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (said.includes(word)) return;
      said += chunk.toString();
      if (said.includes(word)) resolve({ process: child, ready: performance.now() - began });
    });
    child.on('exit', (code) => {
      reject(new Error(`${script} ended with ${code}`));
    });
  });
}

/** Ends a process and waits for it. */
export async function stopServer({ process: child }: Served): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    child.removeAllListeners('exit');
    child.on('exit', () => {
      resolve();
    });
  });
  child.kill('SIGTERM');
  await ended;
}

/** Resident memory of a process in MB (Linux; 0 elsewhere). */
export function residentOf({ process: child }: Served): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ');
    return (Number(pages) * 4096) / 1e6;
  } catch {
    return 0;
  }
}

/** Runs a script to its end; returns what it printed. */
export function runScript(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<string> {
  const child = spawn(process.execPath, [join(BUILT, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.on('exit', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${script} ${args.join(' ')} ended with ${code}`));
    });
  });
}

/** Loads a server from another process. */
export async function measure(run: Run): Promise<Load> {
  return JSON.parse(await runScript('test/bench/load.js', [], {}, JSON.stringify(run))) as Load;
}
