import { AdminChartsService } from '../admin/charts.service';
import { dayOf } from '../import-export/movies';
import { CHART_NAMES, COMPUTED } from '../movies/chart-names';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { choiceOption, idOption } from './support/options';
import { readInput, withServices } from './support/bootstrap';
import { print, printAll } from './support/output';

const withCharts = (work: (charts: AdminChartsService) => Promise<void>): Promise<void> =>
  withServices((app) => work(app.get(AdminChartsService, { strict: false })));

@Command({
  name: 'list',
  arguments: '[name]',
  values: { name: CHART_NAMES },
  description: 'list chart snapshots, newest first; one JSON object per line',
})
export class ChartsListCommand extends CommandRunner {
  async run([name]: string[]): Promise<void> {
    if (name !== undefined) choiceOption('chart', name, CHART_NAMES);
    await withCharts((charts) => printAll(charts.scan(name)));
  }
}

@Command({ name: 'show', arguments: '<id>', description: 'show a snapshot with its entries' })
export class ChartsShowCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withCharts(async (charts) => {
      print(await charts.getSnapshot(wanted));
    });
  }
}

interface DayOptions {
  readonly date?: string;
  readonly city?: string;
}

/** Common options of writing and computing a snapshot. */
abstract class DayCommand extends CommandRunner {
  @Option({ flags: '--date <day>', description: 'day of the snapshot, yyyy-MM-dd' })
  parseDate(value: string): string {
    return dayOf(value, '--date');
  }

  @Option({ flags: '--city <city>', description: 'id or name of the city; for in_theaters' })
  parseCity(value: string): string {
    return value;
  }
}

@Command({
  name: 'write',
  arguments: '<name>',
  values: { name: CHART_NAMES },
  description:
    'write the snapshot of a day with the entries from standard input: ' +
    '[{"rank": 1, "subject_id": "7"}, ...]',
})
export class ChartsWriteCommand extends DayCommand {
  async run([name = '']: string[], options: DayOptions & { period?: string }): Promise<void> {
    const { date } = options;
    if (date === undefined) throw new Error('chart write: --date is required');
    const entries: unknown = JSON.parse(await readInput());
    await withCharts(async (charts) => {
      print(await charts.write({ ...options, name, date, entries }, cliActor()));
    });
  }

  @Option({ flags: '--period <text>', description: 'date range of its numbers' })
  parsePeriod(value: string): string {
    return value;
  }
}

@Command({
  name: 'compute',
  arguments: '<name>',
  values: { name: COMPUTED },
  description:
    'compute the snapshot of a day and replace an existing one; the default is today, ' +
    'and for in_theaters every city with showings',
})
export class ChartsComputeCommand extends DayCommand {
  run([name = '']: string[], options: DayOptions): Promise<void> {
    return withCharts(async (charts) => {
      print(await charts.compute({ name, ...options }, cliActor()));
    });
  }
}

@Command({
  name: 'remove',
  arguments: '<id>',
  description: 'delete a snapshot; the API shows the previous one then',
})
export class ChartsRemoveCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withCharts(async (charts) => {
      await charts.deleteSnapshot(wanted, cliActor());
      print({ id: wanted, removed: true });
    });
  }
}

@Command({
  name: 'chart',
  description: 'movie charts',
  subCommands: [
    ChartsListCommand,
    ChartsShowCommand,
    ChartsWriteCommand,
    ChartsComputeCommand,
    ChartsRemoveCommand,
  ],
})
export class ChartsCommand extends ParentCommand {}
