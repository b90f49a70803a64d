import { ROLES, type Role } from '../api/access';
import { bool, resource, str, time, word } from '../api/resource';

/** A user as administrators see it. */
export interface AdminUserRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly role: Role;
  readonly blocked: boolean;
  readonly created: string;
}

/** A user, for administrators. */
export const AdminUser = resource('AdminUser', {
  id: { type: str() },
  uid: { type: str() },
  name: { type: str() },
  role: { type: word(...ROLES) },
  blocked: { type: bool() },
  created: { type: time() },
});
