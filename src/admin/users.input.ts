import { ROLES, type Role } from '../api/access/access';
import { EnumParam, BooleanParam, Text } from '../api/input/input';

/** Filters of the list of users. */
export class UsersQuery {
  @Text({ about: 'Part of the uid or name.' })
  q?: string;

  @EnumParam(ROLES)
  role?: Role;

  @BooleanParam()
  blocked?: boolean;
}

/** The new role of a user. */
export class RoleInput {
  @EnumParam(ROLES, { required: true })
  role: Role;
}
