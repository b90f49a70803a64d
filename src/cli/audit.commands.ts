import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AuditRepository } from '../admin/audit.repository';
import { integerOption } from './support/options';
import { print, withServices } from './support/bootstrap';

interface AuditOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly count?: number;
}

@SubCommand({ name: 'list', description: 'what was changed, the latest first, a line each' })
export class AuditListCommand extends CommandRunner {
  async run(_arguments: string[], { count = 100, ...filter }: AuditOptions): Promise<void> {
    await withServices(async (app) => {
      let left = count;
      if (left === 0) return;
      for await (const entry of app.get(AuditRepository, { strict: false }).scan(filter)) {
        const { at, actor, action, kind, target, before, after } = entry;
        print({ at, actor, action, kind, target, before, after });
        left -= 1;
        if (left === 0) return;
      }
    });
  }

  @Option({ flags: '--actor <name>', description: 'who made the change' })
  parseActor(value: string): string {
    return value;
  }

  @Option({ flags: '--action <action>', description: 'such as application.approve' })
  parseAction(value: string): string {
    return value;
  }

  @Option({ flags: '--kind <kind>', description: 'such as application' })
  parseKind(value: string): string {
    return value;
  }

  @Option({ flags: '--id <id>', description: 'which thing of the kind' })
  parseId(value: string): string {
    return value;
  }

  @Option({ flags: '--count <number>', description: 'how many; 100 when not given' })
  parseCount(value: string): number {
    return integerOption(value);
  }
}

@Command({
  name: 'audit',
  description: 'the log of what administrators changed',
  subCommands: [AuditListCommand],
})
export class AuditCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('audit: say what to do: list'));
  }
}
