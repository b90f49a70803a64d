import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AccountsService } from '../accounts/accounts.service';
import { UsersService } from '../users/users.service';
import { print, readInput, withServices } from './session';

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

@SubCommand({
  name: 'password',
  arguments: '<uid>',
  description: 'give a user a password, read from standard input; signs them out everywhere',
})
export class UserPasswordCommand extends CommandRunner {
  async run([uid = '']: string[]): Promise<void> {
    const password = (await readInput()).replace(/\r?\n$/, '');
    await withServices(async (app) => {
      const user = await app.get(UsersService).byName(uid);
      await app.get(AccountsService, { strict: false }).setPassword(user, password);
      print({ uid: user.uid, password: 'set' });
    });
  }
}

async function setBlocked(uid: string, blocked: boolean): Promise<void> {
  await withServices(async (app) => {
    const user = await app.get(UsersService).byName(uid);
    await app.get(AccountsService, { strict: false }).setBlocked(user.id, blocked);
    print({ uid: user.uid, blocked });
  });
}

@SubCommand({
  name: 'block',
  arguments: '<uid>',
  description: 'block a user: their tokens stop working, and they cannot sign in',
})
export class UserBlockCommand extends CommandRunner {
  run([uid = '']: string[]): Promise<void> {
    return setBlocked(uid, true);
  }
}

@SubCommand({ name: 'unblock', arguments: '<uid>', description: 'let a blocked user in again' })
export class UserUnblockCommand extends CommandRunner {
  run([uid = '']: string[]): Promise<void> {
    return setBlocked(uid, false);
  }
}

@Command({
  name: 'user',
  description: 'users',
  subCommands: [UserCreateCommand, UserPasswordCommand, UserBlockCommand, UserUnblockCommand],
})
export class UserCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('user: say what to do, such as "user create"'));
  }
}
