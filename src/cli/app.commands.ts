import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { APPLICATION_STATES } from '../admin/applications.input';
import { AdminApplicationsService } from '../admin/applications.service';
import { LEVELS, type Level } from '../api/access/access';
import { ApplicationsService } from '../oauth/applications.service';
import { cliActor } from './support/actor';
import { AppLimitCommand } from './limit.commands';
import { printAll } from './support/lists';
import { listOption } from './support/options';
import { print, withServices } from './support/bootstrap';

/** Whom decisions are noted down for when nobody is named. */
const ACTOR = 'administrator';

interface CreateOptions {
  readonly name: string;
  readonly level?: Level;
  readonly scopes?: string[];
  readonly redirectUri?: string[];
  readonly public?: boolean;
}

@SubCommand({
  name: 'create',
  description: 'make an application; prints its client_id and client_secret',
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

  @Option({ flags: '--name <name>', description: 'name that is shown', required: true })
  parseName(value: string): string {
    return value;
  }

  @Option({ flags: '--level <level>', description: 'L1, L2 or L3', choices: [...LEVELS] })
  parseLevel(value: string): string {
    return value;
  }

  @Option({ flags: '--scopes <a,b>', description: 'scopes that it is approved for' })
  parseScopes(value: string): string[] {
    return listOption(value);
  }

  @Option({
    flags: '--redirect-uri <uri...>',
    description: 'where users may be sent back to; may be given several times',
  })
  parseRedirectUri(value: string, earlier: string[] = []): string[] {
    return [...earlier, value];
  }

  @Option({ flags: '--public', description: 'it cannot keep a secret: PKCE instead' })
  parsePublic(): boolean {
    return true;
  }
}

interface ListOptions {
  readonly owner?: string;
  readonly state?: string;
}

@SubCommand({
  name: 'list',
  arguments: '[part]',
  description: 'applications with a part of their name, the latest first, a line each',
})
export class AppListCommand extends CommandRunner {
  run([q]: string[], { owner, state }: ListOptions): Promise<void> {
    return withServices((app) => {
      const applications = app.get(AdminApplicationsService, { strict: false });
      return printAll(applications.scan({ q, owner, state }));
    });
  }

  @Option({ flags: '--owner <uid>', description: 'only what this user made' })
  parseOwner(value: string): string {
    return value;
  }

  @Option({
    flags: '--state <state>',
    description: 'only these; waiting: something was asked for and nobody has answered',
    choices: [...APPLICATION_STATES],
  })
  parseState(value: string): string {
    return value;
  }
}

@SubCommand({
  name: 'show',
  arguments: '<client_id>',
  description: 'an application, with what it asked for and what was decided',
})
export class AppShowCommand extends CommandRunner {
  async run([clientId = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      const shown = await app.get(AdminApplicationsService, { strict: false }).show(clientId);
      const details = await app.get(ApplicationsService).details(clientId);
      print({ ...shown, secrets: details?.secrets });
    });
  }
}

type Deciding = (
  applications: AdminApplicationsService,
  wish: { readonly by: string; readonly reason?: string },
) => Promise<object>;

async function decide(
  { by = ACTOR, reason }: { by?: string; reason?: string },
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

/** What all decisions have in common: who makes them, and why. */
abstract class DecisionCommand extends CommandRunner {
  @Option({ flags: '--reason <text>', description: 'why; the developer sees it' })
  parseReason(value: string): string {
    return value;
  }

  @Option({ flags: '--by <name>', description: 'who decides; "administrator" when not given' })
  parseBy(value: string): string {
    return value;
  }
}

/** What the three decisions about scopes and levels have in common. */
abstract class SubjectsCommand extends DecisionCommand {
  protected abstract readonly verb: 'approve' | 'decline' | 'suspend';

  async run([clientId = '']: string[], options: DecideOptions): Promise<void> {
    const subjects = { scopes: options.scopes ?? [], level: options.level };
    await decide(options, (applications, wish) =>
      applications.decide(this.verb, clientId, { ...subjects, ...wish }, cliActor()),
    );
  }

  @Option({ flags: '--scopes <a,b>', description: 'scopes that it is about' })
  parseScopes(value: string): string[] {
    return listOption(value);
  }

  @Option({ flags: '--level <level>', description: 'level that it is about', choices: [...LEVELS] })
  parseLevel(value: string): string {
    return value;
  }
}

@SubCommand({
  name: 'approve',
  arguments: '<client_id>',
  description: 'let an application use scopes, or give it a level',
})
export class AppApproveCommand extends SubjectsCommand {
  protected override readonly verb = 'approve';
}

@SubCommand({
  name: 'decline',
  arguments: '<client_id>',
  description: 'say no to what an application asked for',
})
export class AppDeclineCommand extends SubjectsCommand {
  protected override readonly verb = 'decline';
}

@SubCommand({
  name: 'suspend',
  arguments: '<client_id>',
  description: 'take approvals away; tokens that exist lose them at once',
})
export class AppSuspendCommand extends SubjectsCommand {
  protected override readonly verb = 'suspend';
}

@SubCommand({
  name: 'block',
  arguments: '<client_id>',
  description: 'block an application: its key and its tokens stop working',
})
export class AppBlockCommand extends DecisionCommand {
  run([clientId = '']: string[], options: Pick<DecideOptions, 'reason' | 'by'>): Promise<void> {
    return decide(options, (applications, wish) =>
      applications.setBlocked(clientId, true, wish, cliActor()),
    );
  }
}

@SubCommand({
  name: 'unblock',
  arguments: '<client_id>',
  description: 'let a blocked application in again',
})
export class AppUnblockCommand extends DecisionCommand {
  run([clientId = '']: string[], options: Pick<DecideOptions, 'reason' | 'by'>): Promise<void> {
    return decide(options, (applications, wish) =>
      applications.setBlocked(clientId, false, wish, cliActor()),
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
export class AppCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('app: say what to do, such as "app create"'));
  }
}
