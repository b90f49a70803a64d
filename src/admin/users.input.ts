import { ROLES, type Role } from '../api/access/access';
import { EnumParam, BooleanParam, Text } from '../api/input/input';
import { Day } from '../api/input/time-params';

/** Filters of the list of users. */
export class UsersQuery {
  @Text({ about: 'Part of the uid or name.' })
  q?: string;

  @EnumParam(ROLES, { about: 'Users with this role.' })
  role?: Role;

  @BooleanParam({ about: 'Blocked users, or users that are not blocked.' })
  blocked?: boolean;
}

/** A block of a user (D165). */
export class UserBlockInput {
  @Text({ max: 1000, about: 'Reason, which the user sees.' })
  reason?: string;

  @Day({ about: 'Last day of the block; without it, the block does not end.' })
  until?: string;
}

/** The new role of a user. */
export class RoleInput {
  @EnumParam(ROLES, { required: true, about: 'New role of the user.' })
  role: Role;
}
