import { APPLICATION_STATES } from '../admin/applications.input';
import { AdminApplicationsService } from '../admin/applications.service';
import { LEVELS, type Level } from '../api/access/access';
import { ApplicationsService } from '../oauth/applications.service';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { AppLimitCommand } from './limit.commands';
import { choiceOption, listOption } from './support/options';
import { withServices } from './support/bootstrap';
import { RECORDED_NAME, RecordedCommand } from './support/recorded.command';
import { print, printAll } from './support/output';

interface CreateOptions {
  readonly name: string;
  readonly level?: Level;
  readonly scopes?: string[];
  readonly redirectUri?: string[];
  readonly public?: boolean;
}

@Command({
  name: 'create',
  description: 'create an application; print its client_id and client_secret',
})
export class AppCreateCommand extends CommandRunner {
  async run(_arguments: string[], options: CreateOptions): Promise<void> {
    const { name, level, scopes, redirectUri: redirectUris, public: isPublic } = options;
    await withServices(async (app) => {
      const made = await app
        .get(AdminApplicationsService, { strict: false })
        .create({ name, level, scopes, redirectUris, isPublic }, cliActor());
      print({
        client_id: made.clientId,
        ...(made.clientSecret === undefined ? {} : { client_secret: made.clientSecret }),
        name: made.name,
        level: made.level,
        scopes: made.scopes,
        redirect_uris: redirectUris ?? [],
        public: isPublic ?? false,
      });
    });
  }

  @Option({ flags: '--name <name>', description: 'display name', required: true })
  parseName(value: string): string {
    return value;
  }

  @Option({ flags: '--level <level>', description: 'L1, L2 or L3', choices: [...LEVELS] })
  parseLevel(value: string): string {
    return choiceOption('level', value, LEVELS);
  }

  @Option({ flags: '--scopes <a,b>', description: 'approved scopes' })
  parseScopes(value: string): string[] {
    return listOption(value);
  }

  @Option({
    flags: '--redirect-uri <uri...>',
    description: 'redirect URI; repeatable',
  })
  parseRedirectUri(value: string, earlier: string[] = []): string[] {
    return [...earlier, value];
  }

  @Option({ flags: '--public', description: 'public client: PKCE instead of a secret' })
  parsePublic(): boolean {
    return true;
  }
}

interface ListOptions {
  readonly owner?: string;
  readonly state?: string;
}

type ListedApplication = Awaited<ReturnType<AdminApplicationsService['getApplication']>>;

/** The columns of an application in a table; `app show` prints the rest. */
const applicationRow = (one: Omit<ListedApplication, 'decisions'>): object => ({
  client_id: one.client_id,
  name: one.name,
  owner: one.owner,
  level: one.level,
  states: Object.entries(one.states).map(([subject, state]) => `${subject} ${state}`),
  limit_per_hour: one.limit_per_hour,
  blocked: one.blocked,
  created: one.created,
});

@Command({
  name: 'list',
  arguments: '[part]',
  description:
    'list applications, optionally by a part of the name, newest first; one JSON object per line',
})
export class AppListCommand extends CommandRunner {
  run([q]: string[], { owner, state }: ListOptions): Promise<void> {
    return withServices((app) => {
      const applications = app.get(AdminApplicationsService, { strict: false });
      return printAll(applications.scan({ q, owner, state }), applicationRow);
    });
  }

  @Option({ flags: '--owner <uid>', description: 'only applications of this user' })
  parseOwner(value: string): string {
    return value;
  }

  @Option({
    flags: '--state <state>',
    description: 'filter by state; waiting: an undecided request exists',
    choices: [...APPLICATION_STATES],
  })
  parseState(value: string): string {
    return choiceOption('state', value, APPLICATION_STATES);
  }
}

@Command({
  name: 'show',
  arguments: '<client_id>',
  description: 'show an application with its requests and decisions',
})
export class AppShowCommand extends CommandRunner {
  async run([clientId = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      const shown = await app
        .get(AdminApplicationsService, { strict: false })
        .getApplication(clientId);
      const details = await app.get(ApplicationsService).details(clientId);
      print({ ...shown, secrets: details?.secrets });
    });
  }
}

type Deciding = (
  applications: AdminApplicationsService,
  requested: { readonly by: string; readonly reason?: string },
) => Promise<object>;

async function decide(
  { by = RECORDED_NAME, reason }: { by?: string; reason?: string },
  work: Deciding,
): Promise<void> {
  await withServices(async (app) => {
    print(await work(app.get(AdminApplicationsService, { strict: false }), { by, reason }));
  });
}

interface DecideOptions {
  readonly scopes?: string[];
  readonly level?: Level;
  readonly reason?: string;
  readonly by?: string;
}

interface BlockOptions extends Pick<DecideOptions, 'reason' | 'by'> {
  readonly contact?: string;
}

/** Common options of decisions: name and reason. */
abstract class DecisionCommand extends RecordedCommand {
  @Option({ flags: '--reason <text>', description: 'reason; visible to the developer' })
  parseReason(value: string): string {
    return value;
  }
}

/** Common options of the three decisions about scopes and levels. */
abstract class SubjectsCommand extends DecisionCommand {
  protected abstract readonly verb: 'approve' | 'decline' | 'suspend';

  async run([clientId = '']: string[], options: DecideOptions): Promise<void> {
    const subjects = { scopes: options.scopes ?? [], level: options.level };
    await decide(options, (applications, requested) =>
      applications.decide(this.verb, clientId, { ...subjects, ...requested }, cliActor()),
    );
  }

  @Option({ flags: '--scopes <a,b>', description: 'scopes to decide about' })
  parseScopes(value: string): string[] {
    return listOption(value);
  }

  @Option({ flags: '--level <level>', description: 'level to decide about', choices: [...LEVELS] })
  parseLevel(value: string): string {
    return choiceOption('level', value, LEVELS);
  }
}

@Command({
  name: 'approve',
  arguments: '<client_id>',
  description: 'approve scopes or a level of an application',
})
export class AppApproveCommand extends SubjectsCommand {
  protected override readonly verb = 'approve';
}

@Command({
  name: 'decline',
  arguments: '<client_id>',
  description: 'reject requested scopes or a requested level (requires --reason)',
})
export class AppDeclineCommand extends SubjectsCommand {
  protected override readonly verb = 'decline';
}

@Command({
  name: 'suspend',
  arguments: '<client_id>',
  description: 'revoke approvals; existing tokens lose them immediately (requires --reason)',
})
export class AppSuspendCommand extends SubjectsCommand {
  protected override readonly verb = 'suspend';
}

@Command({
  name: 'block',
  arguments: '<client_id>',
  description:
    'block an application: its key and tokens stop working (requires --reason and --contact)',
})
export class AppBlockCommand extends DecisionCommand {
  run([clientId = '']: string[], { contact, ...options }: BlockOptions): Promise<void> {
    return decide(options, (applications, requested) =>
      applications.block(clientId, { ...requested, contact }, cliActor()),
    );
  }

  @Option({ flags: '--contact <address>', description: 'mail or web address for the developer' })
  parseContact(value: string): string {
    return value;
  }
}

@Command({
  name: 'unblock',
  arguments: '<client_id>',
  description: 'unblock an application',
})
export class AppUnblockCommand extends DecisionCommand {
  run([clientId = '']: string[], options: Pick<DecideOptions, 'reason' | 'by'>): Promise<void> {
    return decide(options, (applications, requested) =>
      applications.unblock(clientId, requested, cliActor()),
    );
  }
}

@Command({
  name: 'app',
  description: 'applications',
  subCommands: [
    AppCreateCommand,
    AppListCommand,
    AppShowCommand,
    AppApproveCommand,
    AppDeclineCommand,
    AppSuspendCommand,
    AppBlockCommand,
    AppUnblockCommand,
    AppLimitCommand,
  ],
})
export class AppCommand extends ParentCommand {}
