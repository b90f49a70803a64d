import { AdminUsersService } from '../admin/users.service';
import { Command, CommandRunner, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

async function setFriends([one = '', other = '']: string[], friends: boolean): Promise<void> {
  await withServices(async (app) => {
    const users = app.get(AdminUsersService, { strict: false });
    await users.setFriends([one, other], friends, cliActor());
    print({ users: [one, other], friends });
  });
}

@Command({
  name: 'add',
  arguments: '<uid> <uid2>',
  description: "make two users friends: each sees the other's friends-only notes",
})
export class FriendAddCommand extends CommandRunner {
  run(uids: string[]): Promise<void> {
    return setFriends(uids, true);
  }
}

@Command({
  name: 'remove',
  arguments: '<uid> <uid2>',
  description: 'end the friendship of two users',
})
export class FriendRemoveCommand extends CommandRunner {
  run(uids: string[]): Promise<void> {
    return setFriends(uids, false);
  }
}

@Command({
  name: 'friend',
  description: 'friendships',
  subCommands: [FriendAddCommand, FriendRemoveCommand],
})
export class FriendCommand extends ParentCommand {}
