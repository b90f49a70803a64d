import { ROLES } from '../api/access/access';
import { bool, resource, str, time, oneOf } from '../api/resources/resource';

/** A user as administrators see it. */
export const AdminUser = resource('AdminUser', {
  id: { type: str(), about: 'Id of the user.' },
  uid: { type: str(), about: 'Unique name of the user.' },
  name: { type: str(), about: 'Display name.' },
  role: { type: oneOf(...ROLES), about: 'Role.' },
  blocked: { type: bool(), about: 'Whether the user is blocked.' },
  created: { type: time(), about: 'Time of creation.' },
});
