import { ROLES } from '../api/access/access';
import { bool, resource, str, time, oneOf } from '../api/resources/resource';

/** A user as administrators see it. */
export const AdminUser = resource('AdminUser', {
  id: { type: str(), about: 'Id of the user.' },
  uid: { type: str(), about: 'Unique name of the user.' },
  name: { type: str(), about: 'Display name.' },
  role: { type: oneOf(...ROLES), about: 'Role.' },
  blocked: { type: bool(), about: 'Whether the user is blocked.' },
  blocked_reason: {
    type: str(),
    optional: true,
    about: 'Reason of the block, which the user sees; omitted without one.',
  },
  blocked_until: {
    type: str(),
    optional: true,
    about: 'Last day of the block, `yyyy-MM-dd`; omitted without an end.',
  },
  created: { type: time(), about: 'Time of creation.' },
});
