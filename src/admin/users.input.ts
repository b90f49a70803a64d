import { ROLES, type Role } from '../api/access/access';
import { EnumParam, BooleanParam, Text } from '../api/input/input';

/** Which users are wanted. */
export class UsersQuery {
  @Text({ about: 'Part of the uid or name.' })
  q?: string;

  @EnumParam(ROLES)
  role?: Role;

  @BooleanParam()
  blocked?: boolean;
}

/** What a user is to be. */
export class RoleInput {
  @EnumParam(ROLES, { required: true })
  role: Role;
}
