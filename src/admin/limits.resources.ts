import { int, resource, str, oneOf } from '../api/resources/resource';

/** An effective limit and its source (D16). */
export const AdminLimit = resource('AdminLimit', {
  name: { type: str() },
  value: { type: int(), about: 'Number of requests; 0 means unlimited.' },
  from: { type: oneOf('database', 'settings') },
});
