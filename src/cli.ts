import 'reflect-metadata';
import { CommandFactory } from 'nest-commander';
import { ApiError } from './api/errors';
import { CliModule } from './cli/cli.module';

/** One line for whoever called; commander has printed its own messages already. */
function complain(error: Error & { code?: string; exitCode?: number }): void {
  const own = error.code?.startsWith('commander.') === true;
  const said = error instanceof ApiError ? (error.detail ?? error.message) : error.message;
  if (!own) process.stderr.write(`commonplace: ${said}\n`);
  process.exitCode = error.exitCode ?? 1;
}

void CommandFactory.run(CliModule, {
  logger: false,
  cliName: 'commonplace',
  errorHandler: complain,
  serviceErrorHandler: complain,
});
