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

/** Carries out the command that the process's arguments say; `process.exitCode` tells how it went. */
export const runCommand = (): Promise<void> =>
  CommandFactory.run(CliModule, {
    logger: false,
    cliName: 'commonplace',
    errorHandler: complain,
    serviceErrorHandler: complain,
  });
