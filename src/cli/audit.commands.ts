import { AuditRepository, type AuditRow } from '../audit/audit.repository';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { integerOption } from './support/options';
import { withServices } from './support/bootstrap';
import { printAll } from './support/output';

interface AuditOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly count?: number;
}

/** The first `count` entries without their ids. */
async function* takeEntries(
  rows: AsyncIterable<AuditRow>,
  count: number,
): AsyncGenerator<Omit<AuditRow, 'id' | 'actor_id' | 'request_id'>> {
  let left = count;
  if (left === 0) return;
  for await (const { at, actor, action, kind, target, before, after } of rows) {
    yield { at, actor, action, kind, target, before, after };
    left -= 1;
    if (left === 0) return;
  }
}

@Command({ name: 'list', description: 'list changes, newest first; one JSON object per line' })
export class AuditListCommand extends CommandRunner {
  async run(_arguments: string[], { count = 100, ...filter }: AuditOptions): Promise<void> {
    await withServices((app) =>
      printAll(
        takeEntries(app.get(AuditRepository, { strict: false }).scan(filter), count),
        ({ at, actor, action, kind, target, before, after }) => ({
          at,
          actor,
          action,
          target: `${kind} ${target}`,
          before,
          after,
        }),
      ),
    );
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
export class AuditCommand extends ParentCommand {}
