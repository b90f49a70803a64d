import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { type Level, LEVELS } from '../api/access';
import { ApplicationsService } from '../oauth/applications.service';
import { UsersService } from '../users/users.service';
import { AppLimitCommand } from './limit.commands';
import { print, withServices } from './session';

/** Seconds that a token lives when nothing is said: a day. */
const DAY = 24 * 3600;

const listOption = (value: string): string[] => value.split(/[\s,]+/).filter((one) => one !== '');

@SubCommand({ name: 'create', description: 'make a user; prints its id and uid' })
export class UserCreateCommand extends CommandRunner {
  async run(_arguments: string[], { uid, name }: { uid: string; name: string }): Promise<void> {
    await withServices(async (app) => {
      print(await app.get(UsersService).create(uid, name));
    });
  }

  @Option({ flags: '--uid <uid>', description: 'name in addresses', required: true })
  parseUid(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: 'name that is shown', required: true })
  parseName(value: string): string {
    return value;
  }
}

@Command({ name: 'user', description: 'users', subCommands: [UserCreateCommand] })
export class UserCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('user: say what to do, such as "user create"'));
  }
}

interface AppOptions {
  readonly name: string;
  readonly level?: Level;
  readonly scopes?: string[];
}

@SubCommand({ name: 'create', description: 'make an application; prints its client_id' })
export class AppCreateCommand extends CommandRunner {
  async run(_arguments: string[], options: AppOptions): Promise<void> {
    await withServices(async (app) => {
      const { clientId, name, level, scopes } = await app.get(ApplicationsService).create(options);
      print({ client_id: clientId, name, level, scopes });
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
}

@Command({
  name: 'app',
  description: 'applications',
  subCommands: [AppCreateCommand, AppLimitCommand],
})
export class AppCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('app: say what to do, such as "app create"'));
  }
}

interface TokenOptions {
  readonly app: string;
  readonly user?: string;
  readonly scopes: string[];
  readonly ttl?: number;
}

@SubCommand({ name: 'issue', description: 'issue a token; prints its access_token' })
export class TokenIssueCommand extends CommandRunner {
  async run(_arguments: string[], options: TokenOptions): Promise<void> {
    await withServices(async (app) => {
      const user =
        options.user === undefined ? undefined : await app.get(UsersService).byName(options.user);
      const ttl = options.ttl ?? DAY;
      const token = await app.get(ApplicationsService).issue({
        clientId: options.app,
        userId: user?.id,
        scopes: options.scopes,
        ttl,
      });
      print({
        access_token: token,
        token_type: 'Bearer',
        expires_in: ttl,
        scope: options.scopes.join(' '),
      });
    });
  }

  @Option({ flags: '--app <client_id>', description: 'application', required: true })
  parseApp(value: string): string {
    return value;
  }

  @Option({ flags: '--user <uid>', description: 'user; without one, the application itself' })
  parseUser(value: string): string {
    return value;
  }

  @Option({ flags: '--scopes <a,b>', description: 'scopes', required: true })
  parseScopes(value: string): string[] {
    return listOption(value);
  }

  @Option({ flags: '--ttl <seconds>', description: 'seconds that it lives; a day by default' })
  parseTtl(value: string): number {
    if (!/^[1-9]\d{0,9}$/.test(value)) throw new Error(`not a number of seconds: ${value}`);
    return Number(value);
  }
}

@SubCommand({ name: 'revoke', arguments: '<token>', description: 'revoke a token' })
export class TokenRevokeCommand extends CommandRunner {
  async run([token = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      const revoked = await app.get(ApplicationsService).revoke(token);
      print({ revoked });
      if (!revoked) throw new Error('there is no such token, or it was revoked before');
    });
  }
}

@Command({
  name: 'token',
  description: 'access tokens',
  subCommands: [TokenIssueCommand, TokenRevokeCommand],
})
export class TokenCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('token: say what to do, such as "token issue"'));
  }
}
