import { Readable } from 'node:stream';
import { runCommand } from '../../../src/cli/run';

/** What a command wrote, and how it ended. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Write = typeof process.stdout.write;

/** Keeps what is written to a stream instead of writing it. */
function listen(stream: NodeJS.WriteStream): { text: string; end: () => void } {
  const write = stream.write.bind(stream) as Write;
  const heard = {
    text: '',
    end: () => {
      stream.write = write;
    },
  };
  stream.write = ((text: string | Uint8Array) => {
    heard.text += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  }) as Write;
  return heard;
}

/**
 * Commands run as the command line runs them, but for a process of their own, whose start takes
 * longer than most of them. One after the other: what they write is told apart by nothing else.
 */
export class Shell {
  /** @param url database that they work on */
  constructor(private readonly url: string) {}

  async run(args: readonly string[], input = ''): Promise<Said> {
    const { argv, env, stdin, exitCode } = process;
    const before = env.DATABASE_URL;
    process.argv = [...argv.slice(0, 2), ...args];
    env.DATABASE_URL = this.url;
    Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
    process.exitCode = 0;
    const [out, err] = [listen(process.stdout), listen(process.stderr)];
    try {
      await runCommand();
      return { code: Number(process.exitCode), stdout: out.text, stderr: err.text };
    } finally {
      out.end();
      err.end();
      process.argv = argv;
      process.exitCode = exitCode;
      Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
      if (before === undefined) delete env.DATABASE_URL;
      else env.DATABASE_URL = before;
    }
  }

  /** The lines that a command prints that succeeds, read as JSON. */
  async lines(args: readonly string[], input = ''): Promise<Record<string, unknown>[]> {
    const { code, stdout, stderr } = await this.run(args, input);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The one thing that a command prints that succeeds. */
  async result(...args: string[]): Promise<Record<string, unknown>> {
    const [line] = await this.lines(args);
    if (line === undefined) throw new Error(`${args.join(' ')} said nothing`);
    return line;
  }
}
