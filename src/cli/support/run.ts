import { CommandFactory } from 'nest-commander';
import { ApiError } from '../../api/errors/errors';
import { CliModule } from '../cli.module';

/** Prints an error in one line, unless commander has already printed it. */
function complain(error: Error & { code?: string; exitCode?: number }): void {
  const own = error.code?.startsWith('commander.') === true;
  const message = error instanceof ApiError ? (error.detail ?? error.message) : error.message;
  if (!own) process.stderr.write(`commonplace: ${message}\n`);
  process.exitCode = error.exitCode ?? 1;
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
  return CommandFactory.run(CliModule, {
    logger: false,
    cliName: 'commonplace',
    errorHandler: complain,
    serviceErrorHandler: complain,
  });
}
