import 'reflect-metadata';
import { Readable } from 'node:stream';
import { runCommand } from '../../../src/cli/support/run';
import { type CommandRequest, type CommandResult } from './shell';

/** Keeps what is written to a stream instead of writing it. */
function listen(stream: NodeJS.WriteStream): { text: string } {
  const output = { text: '' };
  const write = (text: string | Uint8Array): boolean => {
    output.text += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  };
  Object.assign(stream, { write });
  return output;
}

/** Thrown where a command would end the process, in the shape that commander's own errors have. */
class Exit extends Error {
  readonly code = 'commander.exit';

  constructor(readonly exitCode: number) {
    super('exit');
  }
}

const exit = process.exit.bind(process);
process.exit = (code): never => {
  throw new Exit(Number(code ?? process.exitCode ?? 0));
};

const [out, err] = [listen(process.stdout), listen(process.stderr)];
const program = process.argv.slice(0, 2);

async function carryOut({ args, input, env }: CommandRequest): Promise<CommandResult> {
  out.text = '';
  err.text = '';
  process.argv = [...program, ...args];
  process.env = env;
  process.exitCode = 0;
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false });
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  try {
    await runCommand();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    process.exitCode = error.exitCode;
  }
  return { code: Number(process.exitCode), stdout: out.text, stderr: err.text };
}

// One after the other: only so is it clear who wrote what.
let last: Promise<unknown> = Promise.resolve();
process.on('message', (request: CommandRequest) => {
  last = last.then(async () => process.send?.(await carryOut(request)));
});
// The process of the tests has ended.
process.on('disconnect', () => exit());
