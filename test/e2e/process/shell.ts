import { fork, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, type Environment } from './programs';

/** A command that is to be run. */
export interface CommandRequest {
  readonly args: readonly string[];
  /** Standard input of the command. */
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Output and exit code of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Resolve = (result: CommandResult) => void;

/**
 * The process that runs commands, one after the other. All specs of a suite share it, because its
 * start takes longer than most commands. It ends with the process of the tests.
 */
class CommandProcess {
  private child: ChildProcess | undefined;
  private readonly waiting: Resolve[] = [];

  run(request: CommandRequest): Promise<CommandResult> {
    this.child ??= this.start();
    // Only a running command keeps the tests from ending.
    this.child.channel?.ref();
    const result = new Promise<CommandResult>((resolve) => this.waiting.push(resolve));
    this.child.send(request);
    return result;
  }

  private start(): ChildProcess {
    const program = join(__dirname, 'shell.program.ts');
    // No place with a `.env` file.
    const child = fork(join(__dirname, 'typescript.js'), [program], {
      cwd: tmpdir(),
      execArgv: [],
    });
    child.unref();
    child.on('message', (result: CommandResult) => {
      this.waiting.shift()?.(result);
      if (this.waiting.length === 0) child.channel?.unref();
    });
    child.on('exit', (code) => {
      this.child = undefined;
      const stderr = `the shell ended with ${code}`;
      for (const resolve of this.waiting.splice(0)) resolve({ code: -1, stdout: '', stderr });
    });
    return child;
  }
}

const shared = new CommandProcess();

/** Commands as the command line runs them, all in one process. */
export class Shell {
  /** @param env settings: the database that commands work on, and others */
  constructor(private readonly env: Environment) {}

  /** The same with other settings. */
  with(env: Environment): Shell {
    return new Shell(env);
  }

  /** A command, run to its end with `input` on its standard input, after those asked for before. */
  run(args: readonly string[], input = ''): Promise<CommandResult> {
    return shared.run({ args, input, env: environment(this.env) });
  }

  /** The lines that a command prints that succeeds, read as JSON. */
  async lines(args: readonly string[], input = ''): Promise<Record<string, unknown>[]> {
    const { code, stdout, stderr } = await this.run(args, input);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The output of a successful command, parsed as JSON. */
  async result(...args: string[]): Promise<Record<string, unknown>> {
    const [line] = await this.lines(args);
    if (line === undefined) throw new Error(`${args.join(' ')} said nothing`);
    return line;
  }
}
