import { ShowingsService } from '../admin/showings.service';
import { dayOf } from '../import-export/movies';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { idOption } from './support/options';
import { withServices } from './support/bootstrap';
import { print, printAll } from './support/output';

const withShowings = (work: (showings: ShowingsService) => Promise<void>): Promise<void> =>
  withServices((app) => work(app.get(ShowingsService, { strict: false })));

interface ListOptions {
  readonly city?: string;
  readonly subject?: number;
}

@Command({ name: 'list', description: 'list showings, newest first; one JSON object per line' })
export class ShowingListCommand extends CommandRunner {
  run(_arguments: string[], { city, subject }: ListOptions): Promise<void> {
    return withShowings((showings) => printAll(showings.scan(city, subject)));
  }

  @Option({ flags: '--city <city>', description: 'id, uid or name of the city' })
  parseCity(value: string): string {
    return value;
  }

  @Option({ flags: '--subject <id>', description: 'id of the movie' })
  parseSubject(value: string): number {
    return idOption(value);
  }
}

@Command({
  name: 'write',
  arguments: '<subject_id> <city> <from> [until]',
  description: 'create a showing, or change the end of the one that begins on the same day',
})
export class ShowingWriteCommand extends CommandRunner {
  run([subject = '', city = '', from = '', until]: string[]): Promise<void> {
    const requested = {
      subject_id: idOption(subject),
      city,
      from: dayOf(from, 'from'),
      ...(until === undefined ? {} : { until: dayOf(until, 'until') }),
    };
    return withShowings(async (showings) => {
      print(await showings.write(requested, cliActor()));
    });
  }
}

@Command({ name: 'remove', arguments: '<id>', description: 'delete a showing' })
export class ShowingRemoveCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withShowings(async (showings) => {
      await showings.deleteShowing(wanted, cliActor());
      print({ id: wanted, removed: true });
    });
  }
}

@Command({
  name: 'showing',
  description: 'movies in theaters by city',
  subCommands: [ShowingListCommand, ShowingWriteCommand, ShowingRemoveCommand],
})
export class ShowingCommand extends ParentCommand {}
