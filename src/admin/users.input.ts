import { ROLES, type Role } from '../api/access/access';
import { EnumParam, BooleanParam, Text } from '../api/input/input';

/** Filters of the list of users. */
export class UsersQuery {
  @Text({ about: 'Part of the uid or name.' })
  q?: string;

  @EnumParam(ROLES, { about: 'Users with this role.' })
  role?: Role;

  @BooleanParam({ about: 'Blocked users, or users that are not blocked.' })
  blocked?: boolean;
}

/** The new role of a user. */
export class RoleInput {
  @EnumParam(ROLES, { required: true, about: 'New role of the user.' })
  role: Role;
}
