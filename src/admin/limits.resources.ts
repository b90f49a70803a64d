import { int, resource, str, oneOf } from '../api/resources/resource';

/** A limit in force, and where it comes from (D16). */
export const AdminLimit = resource('AdminLimit', {
  name: { type: str() },
  value: { type: int(), about: 'Calls; 0 is no limit.' },
  from: { type: oneOf('database', 'settings') },
});
