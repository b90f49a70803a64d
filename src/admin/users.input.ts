import { ROLES, type Role } from '../api/access';
import { Choice, Switch, Text } from '../api/input';

/** Which users are wanted. */
export class UsersQuery {
  @Text({ about: 'Part of the uid or name.' })
  q?: string;

  @Choice(ROLES)
  role?: Role;

  @Switch()
  blocked?: boolean;
}

/** What a user is to be. */
export class RoleInput {
  @Choice(ROLES, { required: true })
  role: Role;
}
