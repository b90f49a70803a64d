import { CommandFactory } from 'nest-commander';
import { ApiError } from '../../api/errors/errors';
import { CliModule } from '../cli.module';

/** One line for whoever called; commander has printed its own messages already. */
function complain(error: Error & { code?: string; exitCode?: number }): void {
  const own = error.code?.startsWith('commander.') === true;
  const said = error instanceof ApiError ? (error.detail ?? error.message) : error.message;
  if (!own) process.stderr.write(`commonplace: ${said}\n`);
  process.exitCode = error.exitCode ?? 1;
}

/** Former names of commands, which scripts may still use; the help does not show them. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  charts: 'chart',
  held: 'moderation',
  jobs: 'job',
  pictures: 'picture',
  words: 'word',
};

/** The arguments of the process with the current name of the command. */
function currentArguments([
  node = '',
  program = '',
  command,
  ...rest
]: readonly string[]): string[] {
  if (command === undefined) return [node, program];
  return [node, program, FORMER_NAMES[command] ?? command, ...rest];
}

/** Carries out the command that the process's arguments say; `process.exitCode` tells how it went. */
export function runCommand(): Promise<void> {
  process.argv = currentArguments(process.argv);
  return CommandFactory.run(CliModule, {
    logger: false,
    cliName: 'commonplace',
    errorHandler: complain,
    serviceErrorHandler: complain,
  });
}
