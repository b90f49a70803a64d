import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ChartsComputeService } from '../movies/charts-compute.service';
import { print, withServices } from './session';

interface ComputeOptions {
  readonly date?: string;
  readonly city?: string;
}

@SubCommand({
  name: 'compute',
  arguments: '<name>',
  description: 'compute the snapshot of a chart, in place of that of the same day',
})
export class ChartsComputeCommand extends CommandRunner {
  async run([name = '']: string[], options: ComputeOptions): Promise<void> {
    await withServices(async (app) => {
      const charts = app.get(ChartsComputeService, { strict: false });
      print(await charts.compute({ name, ...options }));
    });
  }

  @Option({ flags: '--date <day>', description: 'its day, yyyy-MM-dd; today when not given' })
  parseDate(value: string): string {
    return value;
  }

  @Option({
    flags: '--city <city>',
    description: 'id or name, for in_theaters; every city with showings when not given',
  })
  parseCity(value: string): string {
    return value;
  }
}

@Command({
  name: 'charts',
  description: 'charts of films',
  subCommands: [ChartsComputeCommand],
})
export class ChartsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('charts: say what to do: compute'));
  }
}
