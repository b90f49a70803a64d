import { ApiError } from '../../api/errors/errors';
import { COMMANDS } from '../commands';
import { runProgram } from './command';

/** Prints an error in one line. */
function complain(error: Error): void {
  const message = error instanceof ApiError ? (error.detail ?? error.message) : error.message;
  process.stderr.write(`commonplace: ${message}
`);
  process.exitCode = 1;
}

/** Hidden aliases of former command names, for existing scripts. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  charts: 'chart',
  held: 'moderation',
  jobs: 'job',
  pictures: 'picture',
  words: 'word',
};

/** The process arguments with the current name of the command. */
function currentArguments([
  node = '',
  program = '',
  command,
  ...rest
]: readonly string[]): string[] {
  if (command === undefined) return [node, program];
  return [node, program, FORMER_NAMES[command] ?? command, ...rest];
}

/** Runs the command of the process arguments and sets `process.exitCode`. */
export function runCommand(): Promise<void> {
  process.argv = currentArguments(process.argv);
  return runProgram(COMMANDS, process.argv).catch(complain);
}
