import { AdminTokensService } from '../admin/tokens.service';
import { UsersService } from '../users/users.service';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { listOption } from './support/options';
import { readInput, withServices } from './support/bootstrap';
import { print } from './support/output';

/** Default lifetime of a token in seconds: a day. */
const DAY = 24 * 3600;

interface TokenOptions {
  readonly app: string;
  readonly user?: string;
  readonly scopes: string[];
  readonly ttl?: number;
}

@Command({ name: 'issue', description: 'issue an access token and print it' })
export class TokenIssueCommand extends CommandRunner {
  async run(_arguments: string[], options: TokenOptions): Promise<void> {
    await withServices(async (app) => {
      const user =
        options.user === undefined ? undefined : await app.get(UsersService).byName(options.user);
      const ttl = options.ttl ?? DAY;
      const token = await app
        .get(AdminTokensService, { strict: false })
        .issue(
          { clientId: options.app, userId: user?.id, scopes: options.scopes, ttl },
          cliActor(),
        );
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

  @Option({
    flags: '--user <uid>',
    description: 'user of the token; without one, the application itself',
  })
  parseUser(value: string): string {
    return value;
  }

  @Option({ flags: '--scopes <a,b>', description: 'scopes', required: true })
  parseScopes(value: string): string[] {
    return listOption(value);
  }

  @Option({ flags: '--ttl <seconds>', description: 'lifetime in seconds (default: one day)' })
  parseTtl(value: string): number {
    if (!/^[1-9]\d{0,9}$/.test(value)) throw new Error(`invalid number of seconds: ${value}`);
    return Number(value);
  }
}

@Command({
  name: 'revoke',
  arguments: '<token>',
  description:
    'revoke a token; "-" reads it from standard input, so that it does not appear in the process list',
})
export class TokenRevokeCommand extends CommandRunner {
  async run([argument = '']: string[]): Promise<void> {
    const token = argument === '-' ? (await readInput()).trim() : argument;
    await withServices(async (app) => {
      const tokens = app.get(AdminTokensService, { strict: false });
      const revoked = await tokens.revoke(token, cliActor());
      print({ revoked });
      if (!revoked) throw new Error('token not found or already revoked');
    });
  }
}

@Command({
  name: 'token',
  description: 'access tokens',
  subCommands: [TokenIssueCommand, TokenRevokeCommand],
})
export class TokenCommand extends ParentCommand {}
