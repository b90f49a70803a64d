import 'reflect-metadata';
import { CommandFactory } from 'nest-commander';
import { CliModule } from './cli/cli.module';

/** One line for whoever called; commander has printed its own messages already. */
function complain(error: Error & { code?: string; exitCode?: number }): void {
  const own = error.code?.startsWith('commander.') === true;
  if (!own) process.stderr.write(`commonplace: ${error.message}\n`);
  process.exitCode = error.exitCode ?? 1;
}

void CommandFactory.run(CliModule, {
  logger: false,
  cliName: 'commonplace',
  errorHandler: complain,
  serviceErrorHandler: complain,
});
