import { ROLES } from '../api/access/access';
import { bool, resource, str, time, oneOf } from '../api/resources/resource';

/** A user as administrators see it. */
export const AdminUser = resource('AdminUser', {
  id: { type: str() },
  uid: { type: str() },
  name: { type: str() },
  role: { type: oneOf(...ROLES) },
  blocked: { type: bool() },
  created: { type: time() },
});
