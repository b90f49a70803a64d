import { FirstAdministratorService } from '../admin/first-administrator.service';
import { AdminUsersService } from '../admin/users.service';
import { ROLES, type Role } from '../api/access/access';
import { type UserBlock } from '../accounts/accounts.repository';
import { isDay } from '../api/input/time';
import { UsersService } from '../users/users.service';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { choiceOption } from './support/options';
import { readInput, withServices } from './support/bootstrap';
import { print, printAll } from './support/output';

@Command({ name: 'create', description: 'create a user; print its id and uid' })
export class UserCreateCommand extends CommandRunner {
  async run(_arguments: string[], { uid, name }: { uid: string; name: string }): Promise<void> {
    await withServices(async (app) => {
      print(await app.get(AdminUsersService, { strict: false }).create(uid, name, cliActor()));
    });
  }

  @Option({ flags: '--uid <uid>', description: 'unique name in URLs', required: true })
  parseUid(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: 'display name', required: true })
  parseName(value: string): string {
    return value;
  }
}

@Command({
  name: 'password',
  arguments: '<uid>',
  description:
    "set a user's password from standard input; ends all sessions and revokes all grants",
})
export class UserPasswordCommand extends CommandRunner {
  async run([uid = '']: string[]): Promise<void> {
    const password = (await readInput()).replace(/\r?\n$/, '');
    await withServices(async (app) => {
      const user = await app.get(UsersService).byName(uid);
      const users = app.get(AdminUsersService, { strict: false });
      await users.setPassword(user, password, cliActor());
      print({ uid: user.uid, password: 'set' });
    });
  }
}

interface BlockOptions {
  readonly reason?: string;
  readonly until?: string;
}

async function setBlocked(uid: string, block: UserBlock | undefined): Promise<void> {
  await withServices(async (app) => {
    const user = await app.get(UsersService).byName(uid);
    await app.get(AdminUsersService, { strict: false }).setBlocked(user.id, block, cliActor());
    print({ uid: user.uid, blocked: block !== undefined });
  });
}

@Command({
  name: 'block',
  arguments: '<uid>',
  description: 'block a user: their tokens stop working and they cannot sign in',
})
export class UserBlockCommand extends CommandRunner {
  run([uid = '']: string[], { reason = '', until }: BlockOptions): Promise<void> {
    return setBlocked(uid, { reason, until: until ?? null });
  }

  @Option({ flags: '--reason <text>', description: 'reason, which the user sees' })
  parseReason(value: string): string {
    return value;
  }

  @Option({ flags: '--until <day>', description: 'last day of the block, such as 2026-12-31' })
  parseUntil(value: string): string {
    if (isDay(value)) return value;
    throw new Error('--until must be a day like 2026-12-31');
  }
}

@Command({ name: 'unblock', arguments: '<uid>', description: 'unblock a user' })
export class UserUnblockCommand extends CommandRunner {
  run([uid = '']: string[]): Promise<void> {
    return setBlocked(uid, undefined);
  }
}

@Command({
  name: 'role',
  arguments: '<uid> <role>',
  values: { role: ROLES },
  description: 'set the role of a user: "administrator" or "member"',
})
export class UserRoleCommand extends CommandRunner {
  async run([uid = '', role = '']: string[]): Promise<void> {
    const wanted = choiceOption('role', role, ROLES);
    await withServices(async (app) => {
      const { id } = await app.get(UsersService).byName(uid);
      const users = app.get(AdminUsersService, { strict: false });
      const { uid: name, role: now } = await users.setRole(id, wanted, cliActor());
      print({ uid: name, role: now });
    });
  }
}

interface ListOptions {
  readonly role?: Role;
  readonly blocked?: true;
}

@Command({
  name: 'list',
  arguments: '[part]',
  description: 'list users, optionally by a part of the uid or name; one JSON object per line',
})
export class UserListCommand extends CommandRunner {
  run([q]: string[], { role, blocked }: ListOptions): Promise<void> {
    return withServices((app) => {
      const users = app.get(AdminUsersService, { strict: false });
      return printAll(users.scan({ q, role, blocked }));
    });
  }

  @Option({ flags: '--role <role>', description: 'filter by role', choices: [...ROLES] })
  parseRole(value: string): string {
    return choiceOption('role', value, ROLES);
  }

  @Option({ flags: '--blocked', description: 'only blocked users' })
  parseBlocked(): true {
    return true;
  }
}

@Command({ name: 'show', arguments: '<uid>', description: 'show a user' })
export class UserShowCommand extends CommandRunner {
  async run([uid = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      const { id } = await app.get(UsersService).byName(uid);
      print(await app.get(AdminUsersService, { strict: false }).getUser(id));
    });
  }
}

@Command({
  name: 'setup',
  description: 'print a one-time address, valid for an hour, that makes the first administrator',
})
export class UserSetupCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      const first = app.get(FirstAdministratorService, { strict: false });
      const address = await first.createAddress();
      if (address === undefined) throw new Error('user setup: there is an administrator already');
      print({ address });
    });
  }
}

@Command({
  name: 'user',
  description: 'users',
  subCommands: [
    UserCreateCommand,
    UserPasswordCommand,
    UserBlockCommand,
    UserUnblockCommand,
    UserRoleCommand,
    UserListCommand,
    UserShowCommand,
    UserSetupCommand,
  ],
})
export class UserCommand extends ParentCommand {}
