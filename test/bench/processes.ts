import { spawn, type ChildProcess } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cpuOf, memoryOf } from './usage';

/** The build that the benchmark belongs to. */
export const OWN_BUILD = join(__dirname, '../..');

/** A server that is ready. */
export interface Served {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process until it is ready. */
  readonly ready: number;
}

/** A script of a build, with its arguments and environment. */
export interface Script {
  /** Path from the top of the build. */
  readonly script: string;
  /** The folder `dist`; that of this benchmark when absent. */
  readonly build?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

function start(
  { script, build = OWN_BUILD, args = [], env }: Script,
  stdio: ('ignore' | 'pipe' | 'inherit')[],
): ChildProcess {
  const options = { env: { ...process.env, ...env }, stdio };
  return spawn(process.execPath, [join(build, script), ...args], options);
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server on a free `PORT` and waits until it prints a line that contains `word`. */
export async function startServer(script: Script, word: string): Promise<Served> {
  const port = await freePort();
  const began = performance.now();
  const env = { ...script.env, PORT: String(port) };
  const child = start({ ...script, env }, ['ignore', 'pipe', 'inherit']);
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (printed.includes(word)) return;
      printed += chunk.toString();
      if (!printed.includes(word)) return;
      const ready = performance.now() - began;
      resolve({ process: child, pid: child.pid ?? 0, port, ready });
    });
    child.on('exit', (code) => {
      reject(new Error(`${script.script} ended with ${code}`));
    });
  });
}

/** Stops a server and waits for its end. */
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

/** A script that has ended successfully. */
export interface Finished {
  readonly printed: string;
  readonly seconds: number;
  /** CPU time in milliseconds and peak memory in MB, sampled every 20 ms; 0 without /proc. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Runs a script to its end, with a text or a file as its standard input. */
export function finish(script: Script, input: string | { file: string } = ''): Promise<Finished> {
  const began = performance.now();
  const child = start(script, ['pipe', 'pipe', 'pipe']);
  const [pid, { stdin, stdout, stderr }] = [child.pid ?? 0, child];
  if (typeof input === 'string') stdin?.end(input);
  else if (stdin) createReadStream(input.file).pipe(stdin);
  let [cpuMs, peakMb] = [0, 0];
  const sampling = setInterval(() => {
    cpuMs = Math.max(cpuMs, cpuOf(pid));
    peakMb = Math.max(peakMb, memoryOf(pid).peak);
  }, 20);
  return new Promise((resolve, reject) => {
    let [printed, errors] = ['', ''];
    stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
    child.on('close', (code) => {
      clearInterval(sampling);
      const seconds = (performance.now() - began) / 1000;
      if (code === 0) resolve({ printed, seconds, cpuMs, peakMb });
      else {
        const command = [script.script, ...(script.args ?? [])].join(' ');
        reject(new Error(`${command} ended with ${code}: ${errors}`));
      }
    });
  });
}

/** Runs a script of this build to its end; returns what it printed. */
export async function runScript(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<string> {
  return (await finish({ script, args, env }, input)).printed;
}
