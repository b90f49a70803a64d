import { AuditRepository } from '../audit/audit.repository';
import { Command, CommandRunner, Option } from './support/command';
import { integerOption } from './support/options';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

interface AuditOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly count?: number;
}

@Command({ name: 'list', description: 'list changes, newest first; one JSON object per line' })
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

  @Option({ flags: '--actor <name>', description: 'filter by actor' })
  parseActor(value: string): string {
    return value;
  }

  @Option({
    flags: '--action <action>',
    description: 'filter by action, such as application.approve',
  })
  parseAction(value: string): string {
    return value;
  }

  @Option({ flags: '--kind <kind>', description: 'filter by target type, such as application' })
  parseKind(value: string): string {
    return value;
  }

  @Option({ flags: '--id <id>', description: 'filter by target id' })
  parseId(value: string): string {
    return value;
  }

  @Option({ flags: '--count <number>', description: 'maximum number of changes (default: 100)' })
  parseCount(value: string): number {
    return integerOption(value);
  }
}

@Command({
  name: 'audit',
  description: 'the audit log of administrative changes',
  subCommands: [AuditListCommand],
})
export class AuditCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('audit: expected a subcommand: list'));
  }
}
