import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTING_NAMES } from '../../../src/config/settings';
import { NO_LIMITS, PATIENT } from '../../settings';
import { bundlePrograms } from './bundle-programs';

export { until } from './until';

const ROOT = join(__dirname, '../../..');

export type Environment = Readonly<Record<string, string>>;

/** This process's environment with settings of the test's own, and no others. */
export function environment(env: Environment): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !SETTING_NAMES.includes(name));
  return {
    ...Object.fromEntries(others),
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    ...NO_LIMITS,
    ...PATIENT,
    ...env,
  };
}

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of the project that runs as a process of its own. */
export class Program {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  /** Fulfilled when the process is gone and all that it wrote is read. */
  readonly ended: Promise<Ended>;

  private constructor(
    name: 'main' | 'cli',
    args: readonly string[],
    env: Environment,
    cwd: string,
  ) {
    const program = [join(__dirname, 'typescript.js'), join(ROOT, `src/${name}.ts`)];
    this.child = spawn(process.execPath, [...program, ...args], { cwd, env: environment(env) });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      const { stdout, stderr } = this;
      return {
        code: code as number | null,
        signal: signal as NodeJS.Signals | null,
        stdout,
        stderr,
      };
    });
  }

  /** @param cwd where it runs; no place with a `.env` file */
  static start(
    name: 'main' | 'cli',
    args: readonly string[],
    env: Environment,
    cwd: string,
  ): Program {
    return new Program(name, args, env, cwd);
  }

  /** Waits until standard output holds something. @throws Error when the program ends before */
  async said(what: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = what.exec(this.stdout);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`it ended without saying ${String(what)}: ${this.stderr}${this.stdout}`);
      }
      await Promise.race([once(this.child.stdout as NodeJS.ReadableStream, 'data'), this.ended]);
    }
  }

  /** Ends it at once when it still runs. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Programs that a test starts, in a folder of their own; what still runs is ended after it. */
export class Workshop {
  private readonly programs: Program[] = [];

  private constructor(readonly folder: string) {}

  static async open(): Promise<Workshop> {
    await bundlePrograms();
    const folder = await mkdtemp(join(await realpath(tmpdir()), 'commonplace-process-'));
    // Root runs the embedded server as another account, which must be able to enter the folder.
    await chmod(folder, 0o755);
    return new Workshop(folder);
  }

  private start(name: 'main' | 'cli', args: readonly string[], env: Environment): Program {
    const program = Program.start(name, args, env, this.folder);
    this.programs.push(program);
    return program;
  }

  /** The server's program, which has not said anything yet. */
  begin(env: Environment): Program {
    return this.start('main', [], env);
  }

  /** A server, once it serves. */
  async serve(env: Environment, how?: 'cli'): Promise<Server> {
    const program = how ? this.start('cli', ['serve'], env) : this.start('main', [], env);
    const [, port] = await program.said(/serves on http:\/\/localhost:(\d+) [^]*Ctrl-C\.\n/);
    return new Server(program, Number(port));
  }

  /** The server's program, run to its end. */
  serveInVain(env: Environment): Promise<Ended> {
    return this.start('main', [], env).ended;
  }

  /** A command that may be killed. */
  command(env: Environment, args: readonly string[]): Program {
    return this.start('cli', args, env);
  }

  /** A command, run to its end with `input` on its standard input. */
  cli(env: Environment, args: readonly string[], input: string | Buffer = ''): Promise<Ended> {
    const program = this.start('cli', args, env);
    program.child.stdin?.on('error', () => undefined).end(input);
    return program.ended;
  }

  /** Runs a command that must succeed. @returns its output, parsed as JSON */
  async result(env: Environment, ...args: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await this.cli(env, args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Ends what still runs. */
  async clear(): Promise<void> {
    await Promise.all(this.programs.splice(0).map((program) => program.kill()));
  }

  async close(): Promise<void> {
    await this.clear();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A server that serves. */
export class Server {
  readonly origin: string;

  constructor(
    readonly program: Program,
    readonly port: number,
  ) {
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Status and body of a path. */
  async get(path: string, headers: Record<string, string> = {}): Promise<[number, unknown]> {
    const response = await fetch(this.origin + path, { headers });
    return [response.status, await response.json()];
  }

  /** Sends a signal, and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.program.child.kill(signal);
    return this.program.ended;
  }
}
